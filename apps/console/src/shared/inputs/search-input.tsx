import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useTypedText } from './use-typed-text.ts'

interface SearchInputProps {
  /** Search text in the address. */
  readonly text: string
  readonly onText: (text: string) => void
  /** Placeholder and accessible name. */
  readonly label: string
  readonly testId: string
  readonly className?: string
  readonly size?: 'small' | 'middle'
}

/** A search field. No key is lost, even if keys follow faster than the address changes. */
export function SearchInput({ text, onText, label, testId, className, size = 'middle' }: SearchInputProps) {
  const [typed, type] = useTypedText(text, onText)
  return (
    <Input
      size={size}
      className={className ?? ''}
      allowClear
      prefix={<SearchOutlined />}
      placeholder={label}
      aria-label={label}
      value={typed}
      data-testid={testId}
      onChange={(event) => type(event.target.value)}
    />
  )
}
