import type { Commands } from './modules/commands/index.ts'
import type { ConnectionTokens, Devices } from './modules/devices/index.ts'
import type { Telemetry } from './modules/telemetry/index.ts'
import type { Refusal } from './platform/mqtt/broker-port.ts'
import type { ModuleParts, ServerResources } from './platform/server-module.ts'

interface IntakeDevices {
  readonly devices: Pick<Devices, 'directory' | 'findAccess'>
}

/** Passes the messages of the broker to the modules. Messages arrive from `start` on. */
export const createIntake = (
  { broker, log, devices }: Pick<ServerResources, 'broker' | 'log'> & IntakeDevices,
  {
    telemetry,
    commands,
    recordRefusal,
    tokens,
  }: {
    readonly recordRefusal: (refusal: Refusal) => void
    readonly tokens: Pick<ConnectionTokens, 'redeem' | 'recordPassword'>
    readonly telemetry: Pick<Telemetry, 'receive' | 'refused' | 'receiveReplicaMessage' | 'recordReplicaGap'>
    readonly commands: Pick<Commands, 'acceptDelivery'>
  },
) =>
  ({
    start() {
      devices.directory.onLoginsEnded((ended) => {
        for (const { tenant, serial } of ended) broker.disconnect?.({ tenant, gateway: serial })
      })
      return broker.start({
        findAccess: devices.findAccess,
        redeemToken: tokens.redeem,
        onPasswordUsed: tokens.recordPassword,
        async store(message) {
          await telemetry.receive(message)
        },
        onRefused(refusal) {
          telemetry.refused(refusal)
          recordRefusal(refusal)
        },
        onReplicaMessage: telemetry.receiveReplicaMessage,
        onReplicaGap: telemetry.recordReplicaGap,
        onDelivered(_topic, payload) {
          commands
            .acceptDelivery(payload)
            .catch((err: unknown) => log.warn({ err }, 'could not store a delivery'))
        },
      })
    },
    close: () => broker.close(),
  }) satisfies ModuleParts
