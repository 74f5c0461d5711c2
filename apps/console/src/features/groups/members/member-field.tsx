import type { Device } from '@isotherm/contract/devices'
import { Alert, Button, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import { FromNode } from './from-node.tsx'
import { FromSearch } from './from-search.tsx'
import { FromSerials } from './from-serials.tsx'
import { FromSubAccount, useMayListSubAccounts } from './from-sub-account.tsx'
import { MemberList } from './member-list.tsx'
import styles from './members.module.css'
import { useKnownDevices } from './use-known-devices.ts'

/** Where new members come from. */
const sources = {
  search: FromSearch,
  node: FromNode,
  serials: FromSerials,
  subAccount: FromSubAccount,
} as const
type Source = keyof typeof sources

/** The members in a form value. */
export const toMemberIds = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : []

/** Control for the devices of a group: the members, and four ways to add more. */
export function MemberField({ id, value, onValue }: ControlProps) {
  const { t } = useTranslation('groups')
  const ids = toMemberIds(value)
  const { devices, query, note } = useKnownDevices(ids)
  const [source, setSource] = useState<Source>('search')
  const mayListSubAccounts = useMayListSubAccounts()
  const offered = (['search', 'node', 'serials', 'subAccount'] as const).filter(
    (each) => each !== 'subAccount' || mayListSubAccounts,
  )
  const From = sources[source]
  const add = (found: readonly Device[]) => {
    note(found)
    onValue([...new Set([...ids, ...found.map((device) => device.id)])])
  }
  const valves = devices.filter(({ kind, use }) => kind === 'valve' && use === 'in-use').length
  return (
    <div className={styles.field} id={id}>
      <Segmented<Source>
        size="small"
        value={source}
        options={offered.map((each) => ({ value: each, label: t(`source.${each}`) }))}
        onChange={setSource}
      />
      <div className={styles.source}>
        <From members={new Set(ids)} onAdd={add} />
      </div>
      {query.isError && (
        <Alert
          type="error"
          showIcon
          title={toFailureText(query.error)}
          action={<Button onClick={() => query.refetch()}>{t('members.again')}</Button>}
        />
      )}
      <span role="status" className={styles.meta} data-testid="member-count">
        {t('members.count', { count: ids.length, valves })}
      </span>
      <MemberList devices={devices} onRemove={(removed) => onValue(ids.filter((each) => each !== removed))} />
      {ids.length > 1 && (
        <div className={styles.buttons}>
          <Button size="small" onClick={() => onValue([])}>
            {t('members.clear')}
          </Button>
        </div>
      )}
    </div>
  )
}
