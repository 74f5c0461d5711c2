import type { Pump } from '@isotherm/contract/endpoints/control/pumps'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { toChangeText, toHeldText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReleaseButton } from '../../../shared/order/release-button.tsx'
import { Answer } from '../../../shared/ui/answer.tsx'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { HeadForm } from './head-form.tsx'
import { LimitsForm } from './limits-form.tsx'
import styles from './pump.module.css'
import { pumpQuery } from './pump-query.ts'

/** Pump panel: readings, last command, and forms for setpoint and limits if allowed. */
export function PumpPanel({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('balancing')
  return (
    <Answer query={useQuery(pumpQuery(deviceId))}>
      {(pump) =>
        pump ? (
          <div className={styles.panel} data-testid="pump-panel">
            <PumpFacts pump={pump} />
            {pump.takesHead ? (
              pump.abilities.includes('set-head') && <HeadForm key={deviceId} pump={pump} />
            ) : (
              <p className={styles.hint}>{t('pump.noControl')}</p>
            )}
            {pump.abilities.includes('set-limits') && <LimitsForm key={`limits ${deviceId}`} pump={pump} />}
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
                <span key="hold" className={styles.last} data-testid="pump-hold">
                  {t('pump.holdText', {
                    held: toHeldText(format, hold),
                    actor: hold.actor,
                    priority: t(`order.priorities.${hold.priority}`, { ns: 'common' }),
                    instant: format.instant(hold.until),
                  })}
                  {hold.reason !== '' && <> · {format.reason(hold.reason)}</>}
                  {abilities.includes('set-head') && (
                    <ReleaseButton ids={[hold.id]} queryKey={pumpQuery(deviceId).queryKey} />
                  )}
                </span>,
              ] as const,
            ]
          : []),
        [
          t('pump.last'),
          command ? (
            <span key="last" className={styles.last}>
              {toChangeText(format, command)} <CommandBadge {...command} /> {command.actor} ·{' '}
              {format.instant(command.createdAt)}
            </span>
          ) : (
            t('pump.none')
          ),
        ],
      ]}
    />
  )
}
