import { AlertOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { FindingBadge } from '../../../shared/devices/device-findings.tsx'
import { ABSENT } from '../../../shared/format/numbers.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Badge } from '../../../shared/ui/badge.tsx'
import styles from './list.module.css'
import type { Problems } from './problems-query.ts'

/** Open findings and alarms of a device; the tooltip of each has its evidence. */
export function DeviceProblems({ problems }: { readonly problems: Problems | undefined }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  if (!problems || problems.findings.length + problems.alarms.length === 0) return ABSENT
  return (
    <span className={styles.problems}>
      {problems.findings.map((finding) => (
        <FindingBadge key={finding.id} finding={finding} />
      ))}
      {problems.alarms.map(({ id, kind, raisedAt, value }) => (
        <Badge
          key={id}
          tone="caution"
          icon={<AlertOutlined />}
          title={[
            t('since', { since: format.instant(raisedAt) }),
            ...(value === undefined ? [] : [t('value', { value: format.number(value, 1) })]),
          ].join(' · ')}
        >
          {t(`alarm.${kind}`)}
        </Badge>
      ))}
    </span>
  )
}
