import type { roomsEndpoints } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'
import type { ComplianceService } from './compliance/service.ts'
import type { RulesService } from './rules/service.ts'
import type { RoomsService } from './service.ts'
import type { VisitsService } from './visits/service.ts'

export type RoomsHandlers = HandlersOf<keyof typeof roomsEndpoints>

interface RoomsServices {
  readonly rooms: RoomsService
  readonly rules: RulesService
  readonly compliance: ComplianceService
  readonly visits: VisitsService
}

/** Compliance may read the hours of a company; the engine also has to take in readings. */
const SUMS = { running: 2, waiting: 20 } as const

export function createRoomsHandlers({ rooms, rules, compliance, visits }: RoomsServices): RoomsHandlers {
  const gate = createCallerGate(SUMS)
  return {
    getRooms: (input, { caller }) => rooms.getRooms(caller.scope, input),
    getRoomRules: (input, { caller }) => rules.get(caller.scope, input),
    setRoomRules: (input, call) => rules.set(call, input),
    getRoomCompliance: (input, { caller }) => gate(() => compliance.getCompliance(caller.scope, input)),
    getRoomVisits: (input, { caller }) => visits.list(caller.scope, input),
    addRoomVisit: (input, call) => visits.add(call, input),
    closeRoomVisit: (input, call) => visits.close(call, input),
  }
}
