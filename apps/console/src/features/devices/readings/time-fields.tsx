import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { MappingDraft } from './column-roles.ts'
import { MappingField } from './mapping-field.tsx'
import styles from './readings.module.css'

const zones = Intl.supportedValuesOf('timeZone')

interface TimeFieldsProps {
  readonly draft: MappingDraft
  readonly onDraft: (draft: MappingDraft) => void
}

/** How the times of a file are written: their zone and the order of day, month and year. */
export function TimeFields({ draft, onDraft }: TimeFieldsProps) {
  const { t } = useTranslation('devices')
  return (
    <div className={styles.fields}>
      <MappingField label={t('readings.timeZone')}>
        <Select
          aria-label={t('readings.timeZone')}
          showSearch
          value={draft.timeZone}
          options={zones.map((value) => ({ value, label: value }))}
          onChange={(timeZone) => onDraft({ ...draft, timeZone })}
        />
      </MappingField>
      <MappingField label={t('readings.order')}>
        <Select
          aria-label={t('readings.order')}
          value={draft.order}
          options={(['ymd', 'dmy', 'mdy'] as const).map((value) => ({
            value,
            label: t(`readings.orders.${value}`),
          }))}
          onChange={(order) => onDraft({ ...draft, order })}
        />
      </MappingField>
    </div>
  )
}
