import { SettingOutlined } from '@ant-design/icons'
import type { DeviceGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceGroupsQuery } from '../../shared/devices/device-groups.ts'
import { useIsPermitted } from '../../shared/session/session-store.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame, Panel } from '../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../shared/ui/states.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { useBatchUpdates } from './batch/use-batch-updates.ts'
import { useCommandUpdates } from './commands/use-command-updates.ts'
import styles from './control.module.css'
import { ControlLists } from './control-lists.tsx'
import { groupLists } from './control-url.ts'
import { type GroupUrl, parseGroupUrl, toGroupSearch } from './group-url.ts'
import { useHoldUpdates } from './holds/use-holds.ts'
import { Order } from './order/order-panel.tsx'
import { canControl } from './rows/valve-row.ts'
import { GroupSchedulePanel } from './schedule/group-schedule.tsx'
import { devicesByIdQuery } from './selection/devices-by-id-query.ts'

/** Control of a device group: one opening for its valves, with preview and progress, as on the page of valve control. */
export default function GroupctlPage() {
  const { t } = useTranslation('valves')
  const groups = useQuery(deviceGroupsQuery)
  const [url, change] = usePageUrl(parseGroupUrl, toGroupSearch)
  const mayManage = useIsPermitted('pg-groupmanage')
  const options = (groups.data?.datalist ?? []).map(({ id, name, valveCount }) => ({
    value: id,
    label: t('groupctl.option', { name, count: valveCount }),
  }))
  const group = groups.data?.datalist.find(({ id }) => id === url.group)
  const manage = mayManage && (
    <Link to={group ? `/group/groupmanage?open=${group.id}` : '/group/groupmanage'}>
      <SettingOutlined /> {t('groupctl.manage')}
    </Link>
  )
  return (
    <PageFrame>
      <div className={styles.control}>
        <Panel title={t('groupctl.choose')} extra={manage}>
          <Answer query={groups}>
            {({ total }) =>
              total === 0 ? (
                <EmptyState title={t('groupctl.none')} hint={t('groupctl.noneHint')} action={manage} />
              ) : (
                <>
                  <Select
                    className={styles.group ?? ''}
                    aria-label={t('groupctl.choose')}
                    data-testid="group-picker"
                    showSearch={{ optionFilterProp: 'label' }}
                    placeholder={t('groupctl.choose')}
                    value={group?.id ?? null}
                    options={options}
                    onChange={(id: number | null) =>
                      change({ group: id ?? undefined, batch: undefined, page: 1 }, { push: true })
                    }
                  />
                  {group?.description && <p>{group.description}</p>}
                  {url.group !== undefined && !group && <EmptyState title={t('groupctl.gone')} />}
                </>
              )
            }
          </Answer>
        </Panel>
        {group && <GroupControl key={group.id} group={group} url={url} onUrl={change} />}
      </div>
    </PageFrame>
  )
}

interface GroupControlProps {
  readonly group: DeviceGroup
  readonly url: GroupUrl
  readonly onUrl: (part: Partial<GroupUrl>, options?: { readonly push?: boolean }) => void
}

function GroupControl({ group, url, onUrl }: GroupControlProps) {
  const { t } = useTranslation('valves')
  const mayControl = group.abilities.includes('control')
  const valves = useQuery({ ...devicesByIdQuery(group.deviceIds), enabled: mayControl })
  useCommandUpdates()
  useBatchUpdates()
  useHoldUpdates()
  const nodes = useMemo(() => [...new Set(valves.data?.map(({ node }) => node))], [valves.data])
  const controllable = useMemo(
    () => new Set(valves.data?.filter(canControl).map(({ id }) => id)),
    [valves.data],
  )
  if (group.valveCount === 0) return <EmptyState title={t('groupctl.noValves')} />
  if (!mayControl) return <EmptyState title={t('groupctl.watchOnly')} hint={t('groupctl.watchOnlyHint')} />
  const onBatch = (batch: string | undefined) => onUrl({ batch }, { push: true })
  return (
    <Answer query={valves}>
      {(devices) => (
        <>
          <Panel title={t('groupctl.set', { name: group.name })}>
            <Order
              devices={devices}
              missing={Math.max(0, group.valveCount - devices.length)}
              batch={url.batch}
              nodes={nodes}
              onBatch={onBatch}
            />
          </Panel>
          <GroupSchedulePanel groupId={group.id} name={group.name} onBatch={onBatch} />
          {/* No nodes would mean everything. */}
          {nodes.length > 0 && (
            <ControlLists
              nodes={nodes}
              controllable={controllable}
              list={url.list}
              lists={groupLists}
              page={url.page}
              onList={onUrl}
              onBatch={onBatch}
            />
          )}
        </>
      )}
    </Answer>
  )
}
