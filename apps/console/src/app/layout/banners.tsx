import { ClockCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { live } from '../../shared/live/live.ts'
import { useLiveStatus } from '../../shared/live/use-live.ts'
import { recoverSession } from '../../shared/session/recovery.ts'
import { useSession } from '../../shared/session/session-store.ts'

/** A loss shorter than this is not worth a word: the client is back before it is read. */
const GRACE_MS = 2_000

function ExpiredBanner(): ReactNode {
  const { t } = useTranslation('common')
  const queries = useQueryClient()
  const login = async () => {
    useSession.setState({ expired: false })
    if (!(await recoverSession(undefined))) return
    live.restart()
    await queries.invalidateQueries()
  }
  return (
    <div className="banner banner-caution" role="alert">
      <ClockCircleOutlined />
      <span>{t('expired.banner')}</span>
      <Button size="small" onClick={login}>
        {t('expired.login')}
      </Button>
    </div>
  )
}

/** Says when what the pages show is no longer live, and since when. */
export function Banners(): ReactNode {
  const { t } = useTranslation('common')
  const format = useFormat()
  const expired = useSession((session) => session.expired)
  const { since, everConnected, clockOffsetMs } = useLiveStatus()
  const now = useNow()
  if (expired) return <ExpiredBanner />
  if (since === undefined || now - clockOffsetMs - since < GRACE_MS) return null
  return (
    <div className="banner banner-caution" role="status" data-testid="live-lost">
      <DisconnectOutlined />
      <span>
        {everConnected
          ? t('live.disconnected', { instant: format.instant(since + clockOffsetMs) })
          : t('live.neverConnected')}
      </span>
    </div>
  )
}
