import { useTranslation } from 'react-i18next'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { findLost } from './lost-holds.ts'
import { useHoldEvents } from './use-hold-events.ts'

/** Long enough to be noticed by a busy user, s. */
const NOTICE_S = 12

/** Notifies the user on any page when another user ended one of their holds. */
export function useLostHolds(): void {
  const { t } = useTranslation('valves')
  const account = useSession(({ user }) => user?.account)
  useHoldEvents((events) => {
    const lost = findLost(events, account)
    const [first] = lost
    if (!first) return
    const params = { count: lost.length, valve: first.hold.deviceName, by: first.by ?? '' }
    const text = first.ended === 'released' ? t('hold.lostReleased', params) : t('hold.lost', params)
    showNotice('warning', text, NOTICE_S)
  })
}
