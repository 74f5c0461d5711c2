import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { getNodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { ALARMS_PATH } from '../../../shared/alarms/alarms-path.ts'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { toValueText } from '../parts/alarm-value.ts'
import { BalanceLink } from '../parts/balance-parts.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import detail from './detail.module.css'

interface AlarmFactsProps {
  readonly alarm: Alarm
  readonly onAlarm: (id: number) => void
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** The facts of one alarm. */
export function AlarmFacts({ alarm, onAlarm }: AlarmFactsProps) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const format = useFormat()
  const now = useNow(10)
  const { kind, deviceKind, deviceName, imei, balance, acknowledgedBy, acknowledgedAt, suppressedBy } = alarm
  const value = toValueText(kind, alarm.value, format)
  const at = (instant: number) => `${format.instant(instant)} · ${format.age(instant, now)}`
  return (
    <section>
      <h3 className={detail.headline}>{t(`kind.${kind}`)}</h3>
      <p className={detail.badges}>
        <SeverityBadge severity={alarm.severity} />
        <StateBadge state={alarm.state} />
        {kind === 'subtree-silent' && <SilentDevices alarm={alarm} />}
      </p>
      <dl className={detail.facts}>
        <Fact label={t('detail.place')}>{toWholeAddress(alarm.nestaddr)}</Fact>
        {deviceKind !== undefined && (
          <Fact label={t('detail.device')}>
            {deviceName} · {tCommon(`deviceKind.${deviceKind}`)} <CurveLink alarm={alarm} />
          </Fact>
        )}
        {imei !== undefined && <Fact label={t('detail.serial')}>{imei}</Fact>}
        {balance?.strategy !== undefined && (
          <Fact label={t('detail.strategy')}>
            <BalanceLink kind={balance.kind} what="strategy" id={balance.strategy} />
          </Fact>
        )}
        {balance?.campaign !== undefined && (
          <Fact label={t('detail.campaign')}>
            <BalanceLink kind={balance.kind} what="campaign" id={balance.campaign} />
          </Fact>
        )}
        {value !== undefined && <Fact label={t('detail.value')}>{value}</Fact>}
        <Fact label={t('detail.raisedAt')}>{at(alarm.raisedAt)}</Fact>
        {alarm.clearedAt !== undefined && <Fact label={t('detail.clearedAt')}>{at(alarm.clearedAt)}</Fact>}
        {alarm.occurrences > 1 && (
          <Fact label={t('detail.occurrences')}>{format.number(alarm.occurrences, 0)}</Fact>
        )}
        <Fact label={t('detail.acknowledged')}>
          {acknowledgedBy === undefined
            ? t('detail.none')
            : t('detail.acknowledgedBy', {
                account: acknowledgedBy,
                instant: format.instant(acknowledgedAt),
              })}
        </Fact>
        <Fact label={t('detail.assignee')}>{alarm.assignee ?? t('detail.none')}</Fact>
        {alarm.comment !== '' && <Fact label={t('detail.comment')}>{alarm.comment}</Fact>}
        {alarm.silencedUntil !== undefined && (
          <Fact label={t('detail.silenced')}>
            {t('detail.until', { instant: format.instant(alarm.silencedUntil) })}
          </Fact>
        )}
        {suppressedBy !== undefined && (
          <Fact label={t('detail.suppressedBy')}>
            <Button size="small" type="link" onClick={() => onAlarm(suppressedBy)}>
              {t('detail.showCause')}
            </Button>
          </Fact>
        )}
        <Fact label={t('detail.rule')}>
          <Link to={`${ALARMS_PATH}?section=rules&kind=${kind}`}>
            {alarm.ruleId === undefined ? t('detail.byDefault') : t('detail.byRule', { id: alarm.ruleId })}
          </Link>
        </Fact>
      </dl>
    </section>
  )
}

/** Current number of silent devices in a subtree. */
function SilentDevices({ alarm: { node } }: { readonly alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const health = useQuery({
    queryKey: [...alarmKeys.live, 'health', node],
    queryFn: ({ signal }) => call(getNodeHealth, { nodes: [node] }, { signal, quiet: true }),
  })
  const [known] = health.data?.datalist ?? []
  if (!known || known.devCount === 0) return null
  return <span>{t('detail.devicesSilent', { silent: known.silentCount, total: known.devCount })}</span>
}

function CurveLink({ alarm: { deviceId, deviceKind } }: { readonly alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  const mayOpen = useIsPermitted('pe-fmhistory')
  if (!mayOpen || deviceKind !== 'valve' || deviceId === undefined) return null
  return <Link to={`/ewph/fmhistory?devices=${deviceId}`}>{t('detail.history')}</Link>
}
