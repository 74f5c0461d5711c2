import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../../shared/screen/use-width.ts'
import { CountChips } from '../../../../shared/ui/count-chips.tsx'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../../shared/ui/states.tsx'
import { MemberCards } from './member-cards.tsx'
import {
  countMembers,
  filterMembers,
  type MemberFilter,
  type MemberSort,
  sortMembers,
} from './member-rows.ts'
import { MemberTable } from './member-table.tsx'
import styles from './members.module.css'

/** Sort orders for screens without column headings. */
const choices = {
  place: { sort: 'place', descending: false },
  move: { sort: 'move', descending: true },
  return: { sort: 'return', descending: false },
  expected: { sort: 'expectedReturn', descending: false },
} as const satisfies Record<string, { sort: MemberSort; descending: boolean }>
type Choice = keyof typeof choices

interface MemberPanelProps {
  /** A campaign or a dry run. */
  readonly campaign: Pick<CampaignDetail, 'members' | 'indices'>
}

/** Valves of a campaign with their moves and results. */
export function MemberPanel({ campaign }: MemberPanelProps) {
  const { t } = useTranslation('balancing')
  const isMobile = useIsMobile()
  const { members, indices } = campaign
  const [chosen, setChosen] = useState<MemberFilter>('moves')
  const [order, setOrder] = useState<{ readonly sort: MemberSort; readonly descending: boolean }>(
    choices.place,
  )
  const counts = useMemo(() => countMembers(members), [members])
  const countOf = (filter: MemberFilter) => counts.find((each) => each.filter === filter)?.count ?? 0
  // If the filter has no rows any more, show all.
  const filter = countOf(chosen) === 0 ? 'all' : chosen
  const rows = useMemo(
    () => sortMembers(filterMembers(members, filter), order.sort, order.descending),
    [members, filter, order],
  )
  const choice = (Object.keys(choices) as Choice[]).find((each) => choices[each].sort === order.sort)
  return (
    <Panel title={t('campaign.members.title')}>
      <div className={styles.members} data-testid="campaign-members">
        <CountChips
          label={t('campaign.members.show')}
          testId="members"
          chips={counts.map(({ filter: key, count }) => ({ key, count, text: t(`campaign.members.${key}`) }))}
          chosen={filter}
          onChoose={setChosen}
        >
          {isMobile && (
            <Select<Choice>
              size="small"
              className={styles.sort ?? ''}
              aria-label={t('campaign.members.sort')}
              {...(choice !== undefined && { value: choice })}
              options={(Object.keys(choices) as Choice[]).map((value) => ({
                value,
                label: t(`campaign.members.sortBy.${value}`),
              }))}
              onChange={(value) => setOrder(choices[value])}
            />
          )}
        </CountChips>
        {rows.length === 0 ? (
          <EmptyState title={t('campaign.members.none')} />
        ) : isMobile ? (
          <MemberCards members={rows} />
        ) : (
          <MemberTable
            members={rows}
            hasAfter={indices.after !== undefined}
            sort={order.sort}
            descending={order.descending}
            onSort={(sort, descending) => setOrder({ sort, descending })}
          />
        )}
      </div>
    </Panel>
  )
}
