import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { CommandsService } from './service.ts'

type Name = 'publishMqCtlCmd' | 'getCtlLog' | 'getCtlLogCmdLast' | 'deleteCtlCmd'

export const createCommandsHandlers = (commands: CommandsService): HandlersOf<Name> => ({
  publishMqCtlCmd: (input, { caller }) => commands.give(caller, input),
  getCtlLog: (input, { caller }) => commands.list(caller, input),
  getCtlLogCmdLast: async (input, { caller }) => ({
    datalist: await commands.listLast(caller, input.deviceIds),
  }),
  deleteCtlCmd: async (input, { caller }) => ({ commands: await commands.cancel(caller, input.ids) }),
})
