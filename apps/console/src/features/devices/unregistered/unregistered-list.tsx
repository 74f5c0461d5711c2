import type { UnregisteredDevice } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { isMetricName } from '@isotherm/contract/metrics'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { profilesQuery } from '../profiles/profiles-query.ts'
import styles from './unregistered.module.css'

/** Maximum number of values shown for a device; its frame contains all. */
const SHOWN_VALUES = 6

function useGuessText(): (unregistered: UnregisteredDevice) => string {
  const { t } = useTranslation(['devices', 'common'])
  const language = useLanguage()
  const profiles = useQuery(profilesQuery).data
  return ({ guess, via }) => {
    if (via === 'unit') return t('unregistered.unitMeans')
    if (!guess) return t('unregistered.noGuess')
    const { kind: id, reason, profile: key, found, of } = guess
    const kind = t(`deviceKind.${id}`, { ns: 'common' })
    if (reason === 'only-kind') return t('unregistered.onlyKind', { kind })
    const profile = profiles?.find((known) => known.profile.id === key)?.profile.name[language] ?? key ?? ''
    return t('unregistered.bestProfile', { kind, profile, found, of })
  }
}

interface UnregisteredListProps {
  readonly devices: readonly UnregisteredDevice[]
  /** True in the list of one gateway, where its name is not shown. Default: false. */
  readonly isOfOne?: boolean
  readonly onAdopt: (unregistered: UnregisteredDevice) => void
}

/** Unregistered devices that send data: their values, what they probably are, and a button that registers them. */
export function UnregisteredList({ devices, isOfOne = false, onAdopt }: UnregisteredListProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const toGuess = useGuessText()
  return (
    <EventList testId="unregistered-devices">
      {devices.map((unregistered) => {
        const { id, address, via, line, gateway, gatewaySerial, count, lastAt, values, isTaken } =
          unregistered
        const from = isOfOne ? [] : [`${gateway} (${gatewaySerial})`]
        const on = via === 'line' ? [t('unregistered.line', { line })] : []
        const shown = values
          .slice(0, SHOWN_VALUES)
          .flatMap(({ metric, value }) =>
            isMetricName(metric) ? [`${format.metricName(metric)} ${format.metric(metric, value)}`] : [],
          )
        return (
          <EventLine
            key={id}
            at={lastAt}
            name={address}
            by={[t('unregistered.count', { count, shown: format.number(count, 0) }), ...from, ...on].join(
              ' · ',
            )}
          >
            {shown.length > 0 && <span className={styles.whole}>{shown.join(' · ')}</span>}
            {shown.length === 0 && unregistered.hex !== undefined && (
              <code className={styles.whole}>{unregistered.hex.slice(0, 80)}</code>
            )}
            <span className={styles.whole}>{isTaken ? t('unregistered.taken') : toGuess(unregistered)}</span>
            {!isTaken && (
              <Button size="small" data-testid={`adopt-${address}`} onClick={() => onAdopt(unregistered)}>
                {via === 'unit' ? t('config.addUnitLine') : t('unregistered.adopt')}
              </Button>
            )}
          </EventLine>
        )
      })}
    </EventList>
  )
}
