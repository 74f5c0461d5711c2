import type { commandsEndpoints } from '@isotherm/contract/endpoints/commands'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { CommandsService } from './service.ts'

export const createCommandsHandlers = (
  commands: CommandsService,
): HandlersOf<keyof typeof commandsEndpoints> => ({
  publishMqCtlCmd: (input, call) => commands.give(call, input),
  getCtlLog: (input, { caller }) => commands.list(caller, input),
  getCtlLogCmdLast: async (input, { caller }) => ({
    datalist: await commands.listLast(caller, input.deviceIds),
  }),
  deleteCtlCmd: async (input, call) => ({ commands: await commands.cancel(call, input.ids) }),
  updateDevLastOpenset: async ({ items }, call) => ({ datalist: await commands.noteOpenings(call, items) }),
})
