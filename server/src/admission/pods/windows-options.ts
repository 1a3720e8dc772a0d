import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Container, PodSpec } from '../../kubernetes/objects.ts';
import { eachContainer } from './each-container.ts';
import { ifWhole, invalid, invalidFormat } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { byteLength, dnsSubdomainProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

type WindowsOptions = NonNullable<Container['securityContext']>['windowsOptions'];

const maxCredentialSpecKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;

const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacters = /[\x00-\x1f\x7f]/;

/** Judges the options of Windows containers; absent ones are fine (validateWindowsSecurityContextOptions). */
export function validateWindowsOptions(options: WindowsOptions, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options ?? {};
  if (gmsaCredentialSpecName !== undefined) {
    const place = at.child('gmsaCredentialSpecName');
    append(errors, invalidFormat(place, gmsaCredentialSpecName, dnsSubdomainProblems(gmsaCredentialSpecName)));
  }
  if (gmsaCredentialSpec !== undefined) {
    const place = at.child('gmsaCredentialSpec');
    if (gmsaCredentialSpec === '') {
      errors.push(invalid(place, gmsaCredentialSpec, 'gmsaCredentialSpec cannot be an empty string'));
    } else if (byteLength(gmsaCredentialSpec) > maxCredentialSpecKiB * 1024) {
      const detail = `gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`;
      errors.push(invalid(place, gmsaCredentialSpec, detail));
    }
  }
  if (runAsUserName !== undefined) {
    append(errors, invalidFormat(at.child('runAsUserName'), runAsUserName, userNameProblems(runAsUserName)));
  }
  return errors;
}

/** `DOMAIN\user`, or `user` alone. */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacters.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const problems: string[] = [];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  if (domain !== undefined && byteLength(domain) >= maxDomainLength) {
    problems.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
  }
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') {
    problems.push("runAsUserName's User cannot be empty");
  } else if (byteLength(user) > maxUserLength) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

/** Judges that all containers of a pod are host processes when one is (validateWindowsHostProcessPod). */
export function validateHostProcesses(spec: PodSpec, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  for (const [container, place] of eachContainer(spec, at)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    containers++;
    if (own ?? ofPod ?? false) hostProcesses++;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(place.child('securityContext', 'windowsOptions', 'hostProcess'), own, detail));
    }
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    append(errors, ifWhole(invalid(at, '', detail)));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    append(errors, ifWhole(invalid(at.child('hostNetwork'), false, detail)));
  }
  return errors;
}
