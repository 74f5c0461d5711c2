import type { commandsEndpoints } from '@isotherm/contract/endpoints/commands'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { CommandsService } from './service.ts'

export const createCommandsHandlers = (
  commands: CommandsService,
): HandlersOf<keyof typeof commandsEndpoints> => ({
  publishMqCtlCmd: (input, { caller }) => commands.give(caller, input),
  getCtlLog: (input, { caller }) => commands.list(caller, input),
  getCtlLogCmdLast: async (input, { caller }) => ({
    datalist: await commands.listLast(caller, input.deviceIds),
  }),
  deleteCtlCmd: async (input, { caller }) => ({ commands: await commands.cancel(caller, input.ids) }),
})
