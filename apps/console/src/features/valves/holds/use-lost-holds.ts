import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { findLost } from './lost-holds.ts'
import { useHoldNews } from './use-hold-events.ts'

/** Long enough to be read by who does something else just then, s. */
const NOTICE_S = 12

/** Tells the user, whatever page is open, when somebody else ended a hold of theirs. */
export function useLostHolds(): void {
  const { t } = useTranslation('valves')
  const account = useSession(({ user }) => user?.account)
  useHoldNews((news) => {
    const lost = findLost(news, account)
    const [first] = lost
    if (!first) return
    const params = { count: lost.length, valve: first.hold.deviceName, by: first.by ?? '' }
    const text = first.ended === 'released' ? t('hold.lostReleased', params) : t('hold.lost', params)
    showNotice('warning', text, NOTICE_S)
  })
}
