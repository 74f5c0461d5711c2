import type { groupSchedulesEndpoints } from '@isotherm/contract/endpoints/control/group-schedules'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { SchedulesService } from './service.ts'

export const createSchedulesHandlers = (
  schedules: SchedulesService,
): HandlersOf<keyof typeof groupSchedulesEndpoints> => ({
  getGroupSchedule: ({ groupId }, { caller }) => schedules.get(caller, groupId),
  setGroupSchedule: (input, call) => schedules.set(call, input),
})
