import { mayHandleAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { useSession } from '../session/session-store.ts'

/** Whether the user may act on alarms. The abilities of an alarm list the allowed actions. */
export const useMayHandleAlarms = (): boolean => useSession(({ permitted }) => mayHandleAlarms(permitted))
