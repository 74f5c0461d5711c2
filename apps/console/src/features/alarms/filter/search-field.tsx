import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../parts/alarms.module.css'

interface SearchFieldProps {
  readonly text: string
  readonly onText: (text: string) => void
}

/** Search words for all texts of an alarm. */
export function SearchField({ text, onText }: SearchFieldProps) {
  const { t } = useTranslation('alarms')
  return (
    <Input
      className={styles.search ?? ''}
      allowClear
      prefix={<SearchOutlined />}
      placeholder={t('filter.text')}
      aria-label={t('filter.text')}
      value={text}
      data-testid="alarm-search"
      onChange={(event) => onText(event.target.value)}
    />
  )
}
