import {
  type BrokerTls,
  CERTIFICATE_WARNING_DAYS,
  getBroker,
  LIST_WARNING_DAYS,
} from '@isotherm/contract/endpoints/administration/broker'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { toBrokerAddresses } from '../../../shared/installation/broker-addresses.ts'
import styles from './interfaces.module.css'

const brokerQuery = queryOptions({
  queryKey: ['broker'],
  queryFn: ({ signal }) => call(getBroker, {}, { signal, quiet: true }),
  // A renewed certificate is read by the server within a minute.
  refetchInterval: HOUR_MS,
})

/** What ends soon, or has ended. */
function EndAlert({
  what,
  endsAt,
  warningDays,
}: {
  readonly what: 'certificate' | 'list'
  readonly endsAt: number
  readonly warningDays: number
}) {
  const { t } = useTranslation('system')
  const format = useFormat()
  const leftMs = endsAt - useNow(60)
  if (leftMs >= warningDays * DAY_MS) return null
  const days = Math.floor(leftMs / DAY_MS)
  const hasEnded = leftMs <= 0
  return (
    <Alert
      className={styles.alarm ?? ''}
      type={hasEnded ? 'error' : 'warning'}
      showIcon
      data-testid={`broker-${what}`}
      title={t(`interfaces.broker.${what}${hasEnded ? 'Ended' : 'Soon'}`, {
        days,
        until: format.instant(endsAt),
      })}
      description={t(`interfaces.broker.${what}Hint`)}
    />
  )
}

/** How long the certificates hold. */
function useTlsText(tls: BrokerTls | undefined): readonly string[] {
  const { t } = useTranslation('system')
  const format = useFormat()
  const now = useNow(60)
  if (!tls) return []
  const { certificateEndsAt, listEndsAt, isCertificateRequired } = tls
  const days = Math.max(0, Math.floor((certificateEndsAt - now) / DAY_MS))
  return [
    t('interfaces.broker.certificate', { days, until: format.instant(certificateEndsAt) }),
    ...(listEndsAt === undefined ? [] : [t('interfaces.broker.list', { until: format.instant(listEndsAt) })]),
    ...(isCertificateRequired ? [t('interfaces.broker.required')] : []),
  ]
}

/** Where devices connect to the broker, and how long the certificates of the port with TLS hold. */
export function BrokerLine() {
  const { t } = useTranslation('system')
  const { data } = useQuery(brokerQuery)
  const tlsText = useTlsText(data?.tls)
  if (!data) return null
  const { isEmbedded, tls } = data
  if (!isEmbedded) return <p className={styles.broker}>{t('interfaces.broker.external')}</p>
  const list = toBrokerAddresses(data).join(' · ')
  return (
    <>
      {tls && (
        <EndAlert what="certificate" endsAt={tls.certificateEndsAt} warningDays={CERTIFICATE_WARNING_DAYS} />
      )}
      {tls?.listEndsAt !== undefined && (
        <EndAlert what="list" endsAt={tls.listEndsAt} warningDays={LIST_WARNING_DAYS} />
      )}
      <p className={styles.broker} data-testid="broker-line">
        {[t('interfaces.broker.embedded', { list }), ...tlsText].join(' · ')}
      </p>
    </>
  )
}
