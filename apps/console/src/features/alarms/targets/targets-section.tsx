import { CheckCircleOutlined, CloseCircleFilled, PauseCircleOutlined, PlusOutlined } from '@ant-design/icons'
import type { AlarmTarget, TargetFault } from '@isotherm/contract/alarms'
import { deleteAlarmTargets } from '@isotherm/contract/endpoints/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { showNotice } from '../../../shared/ui/notices.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { Badge } from '../../../shared/ui/trust-badge.tsx'
import styles from '../alarms.module.css'
import items from '../items.module.css'
import { targetsQuery } from '../queries.ts'
import { useDeed } from '../use-deed.ts'
import { TargetDrawer } from './target-drawer.tsx'

/** Addresses that are told of alarms, and how that goes. */
export function TargetsSection({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('alarms')
  const [edited, setEdited] = useState<{ readonly target: AlarmTarget | undefined }>()
  const targets = useQuery(targetsQuery(nodes))
  return (
    <>
      <div className={items.sectionHead}>
        <p className={styles.hint}>{t('targets.hint')}</p>
        <Button
          icon={<PlusOutlined />}
          onClick={() => setEdited({ target: undefined })}
          data-testid="add-target"
        >
          {t('targets.add')}
        </Button>
      </div>
      {targets.isPending && <LoadingState />}
      {targets.isError && <ErrorState error={targets.error} onRetry={() => targets.refetch()} />}
      {targets.data?.datalist.length === 0 && (
        <EmptyState title={t('targets.none')} hint={t('targets.noneHint')} />
      )}
      {targets.data && targets.data.datalist.length > 0 && (
        <ul className={items.items}>
          {targets.data.datalist.map((target) => (
            <TargetItem key={target.id} target={target} onEdit={() => setEdited({ target })} />
          ))}
        </ul>
      )}
      <TargetDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}

interface TargetItemProps {
  readonly target: AlarmTarget
  readonly onEdit: () => void
}

function TargetItem({ target, onEdit }: TargetItemProps) {
  const { t } = useTranslation('alarms')
  const remove = useDeed(
    ({ id, version }: AlarmTarget) => call(deleteAlarmTargets, { items: [{ id, version }] }),
    { onDone: () => showNotice('success', t('targets.removed')) },
  )
  const { name, url, nestaddr, abilities } = target
  return (
    <li className={items.item} data-testid={`target-${target.id}`}>
      <div className={items.itemMain}>
        <strong>{name}</strong>
        <code className={items.url}>{url}</code>
        <small className={styles.meta}>
          {toWholeAddress(nestaddr)} · <Told target={target} />
        </small>
      </div>
      <Delivery target={target} />
      <div className={styles.buttons}>
        {abilities.includes('edit') && (
          <Button size="small" onClick={onEdit}>
            {t('targets.edit')}
          </Button>
        )}
        {abilities.includes('remove') && (
          <Popconfirm
            title={t('targets.removeSure')}
            okText={t('targets.remove')}
            cancelText={t('deed.cancel')}
            onConfirm={() => remove.mutate(target)}
          >
            <Button size="small" disabled={remove.isPending}>
              {t('targets.remove')}
            </Button>
          </Popconfirm>
        )}
      </div>
    </li>
  )
}

/** Which alarms it is told of. */
function Told({ target: { severities, kinds } }: { readonly target: AlarmTarget }) {
  const { t } = useTranslation('alarms')
  const { t: tCommon } = useTranslation('common')
  const names = [
    ...severities.map((severity) => tCommon(`alarm.severity.${severity}`)),
    ...kinds.map((kind) => t(`kind.${kind}`)),
  ]
  return names.length === 0 ? t('targets.all') : names.join(' / ')
}

function useFaultText(): (fault: TargetFault) => string {
  const { t } = useTranslation('alarms')
  const isStatus = (fault: TargetFault): fault is `status ${number}` => fault.startsWith('status ')
  return (fault) =>
    isStatus(fault)
      ? t('targetFault.status', { status: fault.slice('status '.length) })
      : t(`targetFault.${fault}`)
}

/** Whether messages arrive, how many wait and how many were given up. */
function Delivery({
  target: { enabled, fault, waiting, givenUp, sentAt },
}: {
  readonly target: AlarmTarget
}) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const now = useNow(10)
  const toText = useFaultText()
  return (
    <div className={items.itemSide}>
      {!enabled ? (
        <Badge tone="muted" icon={<PauseCircleOutlined />}>
          {t('targets.off')}
        </Badge>
      ) : fault ? (
        <Badge tone="alarm" icon={<CloseCircleFilled />}>
          {t('targets.fault', { fault: toText(fault) })}
        </Badge>
      ) : (
        sentAt !== undefined && (
          <Badge tone="good" icon={<CheckCircleOutlined />}>
            {t('targets.well')}
          </Badge>
        )
      )}
      <small className={styles.meta}>
        {sentAt === undefined
          ? t('targets.neverSent')
          : t('targets.sentAt', { age: format.age(sentAt, now) })}
        {waiting > 0 && ` · ${t('targets.waiting', { count: waiting })}`}
        {givenUp > 0 && ` · ${t('targets.givenUp', { count: givenUp })}`}
      </small>
    </div>
  )
}
