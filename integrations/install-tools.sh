#!/bin/sh
# Installs the kubectl and helm that render kustomizations and charts in a container or a job, at the versions that
# Podium is tested with, checked against the sums that their makers publish. The container file and the template of
# GitLab run it; PODIUM_BIN says where to.
set -eu
KUBECTL=1.34.5
HELM=4.1.4
bin=${PODIUM_BIN:-/usr/local/bin}
case $(uname -m) in
  aarch64 | arm64) arch=arm64 ;;
  *) arch=amd64 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# NAME URL SUM: fetches a file, and fails where its sum is another.
fetch() {
  wget -q -O "$1" "$2"
  wget -q -O "$1.sum" "$3"
  echo "$(cut -d ' ' -f 1 < "$1.sum")  $1" | sha256sum -c - > /dev/null
}

kubectl=https://dl.k8s.io/release/v$KUBECTL/bin/linux/$arch/kubectl
fetch kubectl "$kubectl" "$kubectl.sha256"
helm=https://get.helm.sh/helm-v$HELM-linux-$arch.tar.gz
fetch helm.tar.gz "$helm" "$helm.sha256sum"
tar -xzf helm.tar.gz "linux-$arch/helm"
mkdir -p "$bin"
for tool in kubectl "linux-$arch/helm"; do
  chmod 755 "$tool"
  mv "$tool" "$bin/"
done
echo "kubectl $KUBECTL and helm $HELM are in $bin."
