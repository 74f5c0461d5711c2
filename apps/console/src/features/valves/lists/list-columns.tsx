import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'

type ColumnOf<Row> = TableColumnsType<Row>[number]

interface Listed {
  readonly actor: string
  readonly reason: string
}

/** Columns that every list of orders or holds has: who, and why. */
export function useActorColumns<Row extends Listed>(): readonly [ColumnOf<Row>, ColumnOf<Row>] {
  const { t } = useTranslation('valves')
  return useMemo(
    () => [
      { title: t('log.actor'), width: 110, key: 'actor', ellipsis: true, render: (_, { actor }) => actor },
      { title: t('log.reason'), key: 'reason', ellipsis: true, render: (_, { reason }) => reason },
    ],
    [t],
  )
}

/** Where a valve is. */
export function useValveColumn<Row extends { readonly nestaddr: string }>(): ColumnOf<Row> {
  const { t } = useTranslation('valves')
  return useMemo(
    () => ({
      title: t('log.valve'),
      key: 'valve',
      render: (_, { nestaddr }) => <span title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</span>,
    }),
    [t],
  )
}
