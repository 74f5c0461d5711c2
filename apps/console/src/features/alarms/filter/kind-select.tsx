import { alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../parts/alarms.module.css'
import type { SectionProps } from './section-props.ts'

interface KindSelectProps {
  readonly kinds: SectionProps['url']['kinds']
  readonly onKinds: (kinds: SectionProps['url']['kinds']) => void
}

/** Chooses alarm kinds; an empty choice means all. */
export function KindSelect({ kinds, onKinds }: KindSelectProps) {
  const { t } = useTranslation('alarms')
  return (
    <Select
      className={styles.kinds ?? ''}
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      optionFilterProp="label"
      placeholder={t('filter.kind')}
      aria-label={t('filter.kind')}
      value={[...kinds]}
      options={alarmKindNames.map((value) => ({ value, label: t(`kind.${value}`) }))}
      onChange={onKinds}
    />
  )
}
