import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { commandKeys } from '../commands/command-keys.ts'

const MAX_COMMANDS = 5

/** The last commands to a valve. */
export const valveCommandsQuery = (deviceId: number) =>
  queryOptions({
    queryKey: [...commandKeys.logs, 'valve', deviceId],
    queryFn: ({ signal }) =>
      call(getCtlLog, { deviceIds: [deviceId], limiter: { page: 1, size: MAX_COMMANDS } }, { signal }),
  })
