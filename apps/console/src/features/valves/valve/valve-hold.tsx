import type { ValveHold as Hold } from '@isotherm/contract/command'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReleaseButton } from '../../../shared/order/release-button.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { holdKeys } from '../holds/hold-queries.ts'
import text from '../lists/text.module.css'
import styles from './valve.module.css'

interface ValveHoldProps {
  readonly hold: Hold | undefined
  readonly mayRelease: boolean
}

/** The hold of a valve: opening, priority, end, user and reason. */
export function ValveHold({ hold, mayRelease }: ValveHoldProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return (
    <section aria-label={t('hold.label')} data-testid="valve-hold">
      <h3>{t('hold.label')}</h3>
      {hold ? (
        <div className={styles.line}>
          <HoldBadge hold={hold} />
          <strong className="num">{format.metric('valve.opening', hold.openingPct)}</strong>
          <span>{t('hold.untilInstant', { instant: format.instant(hold.until) })}</span>
          <span className={text.hint}>
            {[hold.actor, format.reason(hold.reason)].filter((text) => text !== '').join(' · ')}
          </span>
          {mayRelease && <ReleaseButton holds={[hold]} queryKey={holdKeys.all} />}
        </div>
      ) : (
        <p className={text.hint}>{t('hold.free')}</p>
      )}
    </section>
  )
}
