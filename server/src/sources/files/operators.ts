import { own } from '../../util/own.ts';
/**
 * Kinds of which an operator makes pods, by API group. Podium does not know what pods
 * those are, and counts the objects.
 */
const kindsByGroup: Readonly<Record<string, readonly string[]>> = {
  'acid.zalan.do': ['postgresql'],
  'actions.github.com': ['AutoscalingRunnerSet'],
  'agones.dev': ['Fleet', 'GameServer'],
  'apps.kruise.io': ['CloneSet', 'StatefulSet', 'DaemonSet', 'SidecarSet'],
  'argoproj.io': ['Rollout', 'Workflow', 'CronWorkflow', 'EventBus', 'EventSource', 'Sensor', 'ArgoCD'],
  'batch.volcano.sh': ['Job'],
  'ceph.rook.io': ['CephCluster', 'CephFilesystem', 'CephNFS', 'CephObjectStore'],
  'cassandra.datastax.com': ['CassandraDatacenter'],
  'dragonflydb.io': ['Dragonfly'],
  'elasticsearch.k8s.elastic.co': ['Elasticsearch'],
  'flink.apache.org': ['FlinkDeployment'],
  'grafana.integreatly.org': ['Grafana'],
  'helm.cattle.io': ['HelmChart'],
  'jaegertracing.io': ['Jaeger'],
  'jobset.x-k8s.io': ['JobSet'],
  'k8s.mariadb.com': ['MariaDB', 'MaxScale'],
  'kafka.strimzi.io': ['Kafka', 'KafkaNodePool', 'KafkaConnect', 'KafkaBridge', 'KafkaMirrorMaker2'],
  'keda.sh': ['ScaledJob'],
  'kibana.k8s.elastic.co': ['Kibana'],
  'kubeflow.org': ['TFJob', 'PyTorchJob', 'MPIJob', 'XGBoostJob', 'PaddleJob', 'JAXJob', 'Notebook'],
  'kubevirt.io': ['VirtualMachine', 'VirtualMachineInstance', 'VirtualMachineInstanceReplicaSet'],
  'leaderworkerset.x-k8s.io': ['LeaderWorkerSet'],
  'logging.banzaicloud.io': ['Logging'],
  'loki.grafana.com': ['LokiStack'],
  'minio.min.io': ['Tenant'],
  'mongodbcommunity.mongodb.com': ['MongoDBCommunity'],
  'monitoring.coreos.com': ['Prometheus', 'PrometheusAgent', 'Alertmanager', 'ThanosRuler'],
  'mysql.oracle.com': ['InnoDBCluster'],
  'operators.coreos.com': ['ClusterServiceVersion'],
  'operator.knative.dev': ['KnativeServing', 'KnativeEventing'],
  'operator.victoriametrics.com': ['VMSingle', 'VMCluster', 'VMAgent', 'VMAlert', 'VMAlertmanager'],
  'opentelemetry.io': ['OpenTelemetryCollector'],
  'postgres-operator.crunchydata.com': ['PostgresCluster'],
  'postgresql.cnpg.io': ['Cluster', 'Pooler'],
  'production-stack.vllm.ai': ['VLLMRuntime', 'VLLMRouter', 'CacheServer'],
  'rabbitmq.com': ['RabbitmqCluster'],
  'ray.io': ['RayCluster', 'RayJob', 'RayService'],
  'redis.redis.opstreelabs.in': ['Redis', 'RedisCluster', 'RedisReplication', 'RedisSentinel'],
  'databases.spotahome.com': ['RedisFailover'],
  'scylla.scylladb.com': ['ScyllaCluster'],
  'serving.knative.dev': ['Service', 'Configuration', 'Revision'],
  'serving.kserve.io': ['InferenceService', 'InferenceGraph', 'LLMInferenceService'],
  'sparkoperator.k8s.io': ['SparkApplication', 'ScheduledSparkApplication'],
  'tekton.dev': ['TaskRun', 'PipelineRun'],
  'tempo.grafana.com': ['TempoStack', 'TempoMonolithic'],
  'trainer.kubeflow.org': ['TrainJob'],
  'triggers.tekton.dev': ['EventListener'],
  'upgrade.cattle.io': ['Plan'],
  'volsync.backube': ['ReplicationSource', 'ReplicationDestination'],
};

/** Whether an operator makes pods of an object. */
export function isMadeIntoPods({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  const group = apiVersion.split('/')[0] ?? '';
  return own(kindsByGroup, group)?.includes(kind) === true;
}
