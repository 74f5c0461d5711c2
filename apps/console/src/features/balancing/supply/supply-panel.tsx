import type { Supply } from '@isotherm/contract/endpoints/control/supplies'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { HoldText, LastCommand } from '../station/order-facts.tsx'
import styles from '../station/station.module.css'
import { OffsetForm } from './offset-form.tsx'
import { SupplyLimitsForm } from './supply-limits-form.tsx'
import { supplyQuery } from './supply-query.ts'

/** Supply panel: readings, last command, and forms for offset and limits if allowed. */
export function SupplyPanel({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('balancing')
  return (
    <Answer query={useQuery(supplyQuery(deviceId))}>
      {(supply) =>
        supply ? (
          <div className={styles.panel} data-testid="supply-panel">
            <p className={styles.hint}>{toWholeAddress(supply.nestaddr)}</p>
            <SupplyFacts supply={supply} />
            {supply.takesOffset ? (
              supply.abilities.includes('set-offset') && <OffsetForm key={deviceId} supply={supply} />
            ) : (
              <p className={styles.hint} data-testid="supply-by-hand">
                {t('supply.noControl')}
              </p>
            )}
            {supply.abilities.includes('set-limits') && (
              <SupplyLimitsForm key={`limits ${deviceId}`} supply={supply} />
            )}
          </div>
        ) : (
          <EmptyState />
        )
      }
    </Answer>
  )
}

function SupplyFacts({ supply }: { readonly supply: Supply }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { deviceId, supplyC, outdoorC, targetC, offsetK, limits, hold, command, abilities } = supply
  const kelvin = (value: number | undefined) => format.metric('supply.offset', value)
  const releaseKey = abilities.includes('set-offset') ? supplyQuery(deviceId).queryKey : undefined
  return (
    <FactList
      className={styles.facts}
      facts={[
        [format.metricName('temp.supply'), format.metric('temp.supply', supplyC)],
        [format.metricName('supply.target'), format.metric('supply.target', targetC)],
        [format.metricName('temp.outdoor'), format.metric('temp.outdoor', outdoorC)],
        [
          format.metricName('supply.offset'),
          <span key="offset" data-testid="supply-offset">
            {kelvin(offsetK)}
          </span>,
        ],
        [
          t('pump.limits'),
          t('pump.limitsText', {
            min: kelvin(limits.minOffsetK),
            max: kelvin(limits.maxOffsetK),
            step: kelvin(limits.maxStepK),
          }),
        ],
        ...(hold
          ? [
              [
                t('pump.hold'),
                <HoldText key="hold" hold={hold} testId="supply-hold" releaseKey={releaseKey} />,
              ] as const,
            ]
          : []),
        [t('pump.last'), <LastCommand key="last" command={command} />],
      ]}
    />
  )
}
