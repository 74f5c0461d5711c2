import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import type { TableColumnsType } from 'antd'
import { type CSSProperties, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { DenseTable } from '../../../../shared/ui/dense-table.tsx'
import { listenForSort, type TableSort, toSortable } from '../../../../shared/ui/table-sort.ts'
import { ForecastCell, OpeningCell, ReturnCell, RoomCell } from './member-cells.tsx'
import { MemberNote } from './member-note.tsx'
import { type MemberSort, memberSorts } from './member-rows.ts'
import styles from './members.module.css'

interface MemberTableProps extends TableSort<MemberSort> {
  /** Filtered and sorted rows. */
  readonly members: readonly CampaignMember[]
  readonly hasAfter: boolean
  readonly onSort: (sort: MemberSort, descending: boolean) => void
}

const FLOW_DECIMALS = 3

/** Table of the valves of a campaign. Renders only the visible rows. */
export function MemberTable({ members, hasAfter, sort, descending, onSort }: MemberTableProps) {
  const hasAfterRoom = members.some(({ after }) => after?.roomC !== undefined)
  const hasRange = members.some(({ expected }) => expected.returnHighC !== undefined)
  const columns = useMemberColumns({ hasAfter, hasAfterRoom, hasRange, sort, descending })
  const widthPx = columns.reduce((sum, { width }) => sum + Number(width ?? 0), 0)
  const rows: CSSProperties & Record<'--rows', number> = { '--rows': members.length }
  return (
    <div className={styles.table} style={rows}>
      <DenseTable<CampaignMember>
        widthPx={widthPx}
        rowKey="deviceId"
        columns={columns}
        dataSource={members}
        onChange={listenForSort(memberSorts, 'place', onSort)}
      />
    </div>
  )
}

interface Shown extends TableSort<MemberSort> {
  readonly hasAfter: boolean
  /** Only some networks measure room temperatures. */
  readonly hasAfterRoom: boolean
  /** Whether predictions have an interval. */
  readonly hasRange: boolean
}

function useMemberColumns({
  hasAfter,
  hasAfterRoom,
  hasRange,
  sort,
  descending,
}: Shown): TableColumnsType<CampaignMember> {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return useMemo(() => {
    const by = (key: MemberSort) => toSortable(key, { sort, descending })
    const figure = { align: 'right' as const, className: 'num' }
    const columns: (TableColumnsType<CampaignMember>[number] | false)[] = [
      {
        ...by('place'),
        title: t('campaign.members.place'),
        width: 190,
        fixed: 'start',
        ellipsis: true,
        render: (_, { deviceId, nestaddr }) => (
          <span title={toWholeAddress(nestaddr)} data-testid={`member-${deviceId}`}>
            {toCompactAddress(nestaddr)}
          </span>
        ),
      },
      {
        ...by('move'),
        ...figure,
        title: t('campaign.members.opening'),
        width: 112,
        render: (_, member) => <OpeningCell member={member} />,
      },
      {
        ...by('return'),
        ...figure,
        title: t('campaign.members.return'),
        width: hasRange ? 196 : 116,
        render: (_, member) => <ReturnCell member={member} />,
      },
      hasAfter && {
        ...by('afterReturn'),
        ...figure,
        title: t('campaign.members.returnAfter'),
        width: 92,
        render: (_, { after }) => format.number(after?.returnC, 1),
      },
      {
        ...by('room'),
        ...figure,
        title: t('campaign.members.room'),
        width: 148,
        render: (_, member) => <RoomCell member={member} />,
      },
      hasAfterRoom && {
        ...by('afterRoom'),
        ...figure,
        title: t('campaign.members.roomAfter'),
        width: 92,
        render: (_, { after }) => format.number(after?.roomC, 1),
      },
      {
        ...by('flow'),
        ...figure,
        title: t('campaign.members.flow'),
        width: 130,
        render: (_, { before, expected }) => (
          <ForecastCell before={before.flowM3H} expected={expected.flowM3H} decimals={FLOW_DECIMALS} />
        ),
      },
      {
        ...by('target'),
        ...figure,
        title: t('campaign.members.target'),
        width: 116,
        render: (_, { targetFlowM3H }) => format.number(targetFlowM3H, FLOW_DECIMALS),
      },
      hasAfter && {
        ...by('afterFlow'),
        ...figure,
        title: t('campaign.members.flowAfter'),
        width: 96,
        render: (_, { after }) => format.number(after?.flowM3H, FLOW_DECIMALS),
      },
      {
        key: 'note',
        title: t('campaign.members.note'),
        width: 220,
        render: (_, member) => <MemberNote member={member} />,
      },
    ]
    return columns.filter((column) => column !== false)
  }, [t, format, hasAfter, hasAfterRoom, hasRange, sort, descending])
}
