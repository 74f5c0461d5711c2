import type { Pump } from '@isotherm/contract/endpoints/control/pumps'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { HoldText, LastCommand } from '../station/order-facts.tsx'
import styles from '../station/station.module.css'
import { HeadForm } from './head-form.tsx'
import { PumpLimitsForm } from './pump-limits-form.tsx'
import { pumpQuery } from './pump-query.ts'

/** Pump panel: readings, last command, and forms for setpoint and limits if allowed. */
export function PumpPanel({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('balancing')
  return (
    <Answer query={useQuery(pumpQuery(deviceId))}>
      {(pump) =>
        pump ? (
          <div className={styles.panel} data-testid="pump-panel">
            <p className={styles.hint}>{toWholeAddress(pump.nestaddr)}</p>
            <PumpFacts pump={pump} />
            {pump.takesHead ? (
              pump.abilities.includes('set-head') && <HeadForm key={deviceId} pump={pump} />
            ) : (
              <p className={styles.hint}>{t('pump.noControl')}</p>
            )}
            {pump.abilities.includes('set-limits') && (
              <PumpLimitsForm key={`limits ${deviceId}`} pump={pump} />
            )}
          </div>
        ) : (
          <EmptyState />
        )
      }
    </Answer>
  )
}

function PumpFacts({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { deviceId, headKpa, targetKpa, takesHead, limits, hold, command, abilities } = pump
  const kpa = (value: number | undefined) => format.metric('pump.target', value)
  const target = takesHead && targetKpa === undefined ? t('pump.fixed') : kpa(targetKpa)
  const releaseKey = abilities.includes('set-head') ? pumpQuery(deviceId).queryKey : undefined
  return (
    <FactList
      className={styles.facts}
      facts={[
        [
          t('pump.head'),
          <span key="head" data-testid="pump-head">
            {kpa(headKpa)}
          </span>,
        ],
        [t('pump.target'), target],
        [
          t('pump.limits'),
          t('pump.limitsText', {
            min: kpa(limits.minHeadKpa),
            max: kpa(limits.maxHeadKpa),
            step: kpa(limits.maxStepKpa),
          }),
        ],
        ...(hold
          ? [
              [
                t('pump.hold'),
                <HoldText key="hold" hold={hold} testId="pump-hold" releaseKey={releaseKey} />,
              ] as const,
            ]
          : []),
        [t('pump.last'), <LastCommand key="last" command={command} />],
      ]}
    />
  )
}
