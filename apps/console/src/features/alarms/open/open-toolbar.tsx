import { ClearOutlined, FilterOutlined } from '@ant-design/icons'
import type { AlarmCounts } from '@isotherm/contract/alarms/alarms'
import { Button, Checkbox, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session-store.ts'
import { isNarrowed, notNarrowed } from '../filter/alarm-filter.ts'
import { stateFilters } from '../filter/alarms-url.ts'
import { KindSelect } from '../filter/kind-select.tsx'
import { SearchField } from '../filter/search-field.tsx'
import type { SectionProps } from '../filter/section-props.ts'
import styles from '../parts/alarms.module.css'

interface OpenToolbarProps extends Pick<SectionProps, 'url' | 'change'> {
  readonly counts: AlarmCounts | undefined
  readonly isMobile: boolean
  /** The actions on the listed alarms. */
  readonly children: ReactNode
}

/** The filters of the list, except the severities. On a phone only the search is shown; a button opens the rest. */
export function OpenToolbar({ url, change, counts, isMobile, children }: OpenToolbarProps) {
  const { t } = useTranslation('alarms')
  const { text } = url
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <div className={styles.toolbar}>
      <SearchField text={text} onText={(next) => change({ text: next, picked: [] })} />
      {isMobile && (
        <Button
          icon={<FilterOutlined />}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
          data-testid="alarm-filters"
        >
          {t('filter.more')}
        </Button>
      )}
      {(!isMobile || isUnfolded) && <Filters url={url} change={change} counts={counts} />}
      {children}
    </div>
  )
}

function Filters({ url, change, counts }: Pick<OpenToolbarProps, 'url' | 'change' | 'counts'>) {
  const { t } = useTranslation('alarms')
  const account = useSession((session) => session.user?.account)
  const { kinds, state, assignee, silenced, suppressed } = url
  return (
    <>
      <Select
        className={styles.select ?? ''}
        aria-label={t('filter.state')}
        value={state}
        options={stateFilters.map((value) => ({ value, label: t(`filter.states.${value}`) }))}
        onChange={(next) => change({ state: next, picked: [] })}
      />
      <KindSelect kinds={kinds} onKinds={(next) => change({ kinds: next, picked: [] })} />
      {account !== undefined && (
        <Checkbox
          checked={assignee === account}
          onChange={({ target }) => change({ assignee: target.checked ? account : '', picked: [] })}
        >
          {t('filter.assignee')}
        </Checkbox>
      )}
      <Checkbox
        checked={silenced}
        onChange={({ target }) => change({ silenced: target.checked, picked: [] })}
        data-testid="with-silenced"
      >
        {t('filter.silenced', { count: counts?.silenced ?? 0 })}
      </Checkbox>
      <Checkbox
        checked={suppressed}
        onChange={({ target }) => change({ suppressed: target.checked, picked: [] })}
      >
        {t('filter.suppressed', { count: counts?.suppressed ?? 0 })}
      </Checkbox>
      {isNarrowed(url) && (
        <Button type="text" icon={<ClearOutlined />} onClick={() => change({ ...notNarrowed, picked: [] })}>
          {t('filter.clear')}
        </Button>
      )}
    </>
  )
}
