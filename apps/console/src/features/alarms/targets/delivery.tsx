import { CheckCircleOutlined, CloseCircleFilled, PauseCircleOutlined } from '@ant-design/icons'
import type { AlarmTarget, TargetTest } from '@isotherm/contract/alarms/alarms'
import { useTranslation } from 'react-i18next'
import { withUnit } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import styles from '../parts/alarms.module.css'
import { useFaultText } from './use-fault-text.ts'

/** Delivery state of a receiver: last delivery, waiting and dropped messages. */
export function Delivery({ target }: { readonly target: AlarmTarget }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const now = useNow(10)
  const toText = useFaultText()
  const { enabled, fault, waiting, givenUp, sentAt } = target
  return (
    <>
      {!enabled ? (
        <Badge tone="muted" icon={<PauseCircleOutlined />}>
          {t('targets.off')}
        </Badge>
      ) : fault ? (
        <Badge tone="alarm" icon={<CloseCircleFilled />}>
          {t('targets.fault', { fault: toText(fault) })}
        </Badge>
      ) : (
        sentAt !== undefined && (
          <Badge tone="good" icon={<CheckCircleOutlined />}>
            {t('targets.ok')}
          </Badge>
        )
      )}
      <small className={styles.meta}>
        {sentAt === undefined
          ? t('targets.neverSent')
          : t('targets.sentAt', { age: format.age(sentAt, now) })}
        {waiting > 0 && ` · ${t('targets.waiting', { count: waiting })}`}
        {givenUp > 0 && ` · ${t('targets.givenUp', { count: givenUp })}`}
      </small>
    </>
  )
}

/** Result of a test: response, time and duration. */
export function TestResult({ result }: { readonly result: TargetTest }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const toText = useFaultText()
  const params = { at: format.time(result.at), took: withUnit(format.number(result.tookMs, 0), 'ms') }
  return 'fault' in result ? (
    <Badge tone="alarm" icon={<CloseCircleFilled />}>
      {t('targets.testFailed', { ...params, fault: toText(result.fault) })}
    </Badge>
  ) : (
    <Badge tone="good" icon={<CheckCircleOutlined />}>
      {t('targets.testArrived', { ...params, status: result.status })}
    </Badge>
  )
}
