import { mayHandleAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { useSession } from '../session/session-store.ts'

/** Whether the server lets the signed-in user act on alarms; what they may do with one stands in its abilities. */
export const useMayHandleAlarms = (): boolean => useSession(({ permitted }) => mayHandleAlarms(permitted))
