import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'

type ColumnOf<Row> = TableColumnsType<Row>[number]

interface Listed {
  readonly actor: string
  readonly reason: string
}

/** The columns of every list of batches, commands or holds: user and reason. */
export function useActorColumns<Row extends Listed>(): readonly [ColumnOf<Row>, ColumnOf<Row>] {
  const { t } = useTranslation('valves')
  const format = useFormat()
  return useMemo(
    () => [
      { title: t('log.actor'), width: 110, key: 'actor', ellipsis: true, render: (_, { actor }) => actor },
      {
        title: t('log.reason'),
        key: 'reason',
        ellipsis: true,
        render: (_, { reason }) => format.reason(reason),
      },
    ],
    [t, format],
  )
}

/** The column with the address of the valve. */
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
