import { ClockCircleOutlined, DisconnectOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { expired, useExpired } from '../../features/session/expiry/expired.ts'
import { useReach } from '../../shared/api/reach.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { useRefusalText } from '../../shared/live/refusal-text.ts'
import { useLiveStatus } from '../../shared/live/use-live.ts'

/** A shorter loss shows no banner, because nobody could read it in that time, ms. */
const GRACE_MS = 2_000

function ExpiredBanner(): ReactNode {
  const { t } = useTranslation('common')
  return (
    <div className="banner banner-caution" role="alert">
      <ClockCircleOutlined />
      <span>{t('expired.banner')}</span>
      <Button size="small" onClick={expired.reopen}>
        {t('expired.login')}
      </Button>
    </div>
  )
}

/** Text about outdated data; undefined while data are current. */
function useOldDataText(): string | undefined {
  const { t } = useTranslation('common')
  const format = useFormat()
  const toRefusalText = useRefusalText()
  const live = useLiveStatus()
  const unanswered = useReach(({ since }) => since)
  const now = useNow() - live.clockOffsetMs
  const isLong = (since: number | undefined): since is number =>
    since !== undefined && now - since >= GRACE_MS
  const toInstant = (since: number) => format.instant(since + live.clockOffsetMs)
  if (live.refused !== undefined) return toRefusalText(live.refused)
  if (isLong(live.since)) {
    if (!live.everConnected) return t('live.neverConnected')
    return t('live.disconnected', { instant: toInstant(Math.min(live.since, unanswered ?? live.since)) })
  }
  return isLong(unanswered) ? t('live.unanswered', { instant: toInstant(unanswered) }) : undefined
}

/** Banner that says since when live data or data from HTTP calls are outdated. */
export function Banners(): ReactNode {
  const isDeclined = useExpired(({ state }) => state === 'declined')
  const oldData = useOldDataText()
  if (isDeclined) return <ExpiredBanner />
  if (oldData === undefined) return null
  return (
    <div className="banner banner-caution" role="status" data-testid="live-lost">
      <DisconnectOutlined />
      <span>{oldData}</span>
    </div>
  )
}
