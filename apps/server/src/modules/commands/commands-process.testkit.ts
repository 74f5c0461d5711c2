import type { Core } from '../../core.ts'
import { type CommandsNeeds, createCommands } from './index.ts'

type Field = Pick<CommandsNeeds, 'findOpening' | 'findMetrics' | 'listLongestOpenings'>

/** Commands in a process that a test kills. Messages to devices go to the parent process, which replies. */
export function createProcessCommands({ db, signals, clock, log, network, devices }: Core, field: Field) {
  return createCommands({
    db,
    signals,
    clock,
    log,
    network,
    directory: devices.directory,
    devices: devices.service,
    groups: devices.groups,
    listSwitchedOff: devices.listSwitchedOff,
    changes: devices.changes,
    getConfigurable: devices.getConfigurable,
    isConnected: () => true,
    publish: async (topic, payload) => {
      process.send?.({ topic, payload })
    },
    ...field,
  })
}
