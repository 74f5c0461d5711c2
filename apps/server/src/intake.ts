import type { Commands } from './modules/commands/index.ts'
import type { Telemetry } from './modules/telemetry/index.ts'
import type { ModuleParts, ServerResources } from './platform/server-module.ts'

/** Passes the messages of the broker to the modules. Messages arrive from `start` on. */
export const createIntake = (
  { broker, log }: Pick<ServerResources, 'broker' | 'log'>,
  {
    telemetry,
    commands,
  }: {
    readonly telemetry: Pick<Telemetry, 'receive' | 'refused' | 'receiveReplicaMessage' | 'recordReplicaGap'>
    readonly commands: Pick<Commands, 'acceptDelivery'>
  },
) =>
  ({
    start: () =>
      broker.start({
        store: telemetry.receive,
        onRefused: telemetry.refused,
        onReplicaMessage: telemetry.receiveReplicaMessage,
        onReplicaGap: telemetry.recordReplicaGap,
        onDelivered(_topic, payload) {
          commands
            .acceptDelivery(payload)
            .catch((err: unknown) => log.warn({ err }, 'could not store a delivery'))
        },
      }),
    close: () => broker.close(),
  }) satisfies ModuleParts
