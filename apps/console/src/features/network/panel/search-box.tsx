import { CloseCircleFilled, SearchOutlined } from '@ant-design/icons'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../shared/inputs/text-field.tsx'
import { useNetwork } from '../session/network-store.ts'
import { setKeyword } from '../session/tree-actions.ts'

interface SearchBoxProps {
  /** Called by the down arrow, to move to the first hit or row. */
  readonly onDown: () => void
}

/** The search field of the tree. */
export function SearchBox({ onDown }: SearchBoxProps): ReactNode {
  const { t } = useTranslation('network')
  const keyword = useNetwork((network) => network.keyword)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setKeyword('')
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    onDown()
  }
  return (
    <TextField
      value={keyword}
      onChange={(event) => setKeyword(event.target.value)}
      onKeyDown={onKeyDown}
      placeholder={t('search')}
      aria-label={t('search')}
      icon={<SearchOutlined />}
      end={
        keyword !== '' && (
          <button
            type="button"
            className="bare"
            aria-label={t('clearSearch')}
            title={t('clearSearch')}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setKeyword('')}
          >
            <CloseCircleFilled />
          </button>
        )
      }
      data-testid="tree-search"
    />
  )
}
