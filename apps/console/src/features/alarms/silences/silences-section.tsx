import { MutedOutlined, PlusOutlined } from '@ant-design/icons'
import type { AlarmSilence } from '@isotherm/contract/alarms/alarms'
import { endAlarmSilence } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { useQuery } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { useMayHandleAlarms } from '../../../shared/alarms/use-may-handle-alarms.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Badge } from '../../../shared/ui/badge.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { silencesQuery } from '../calls/rule-queries.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import styles from '../parts/alarms.module.css'
import items from '../parts/items.module.css'
import { ShownPart } from '../parts/shown-part.tsx'
import { useDuration } from '../parts/use-duration.ts'
import { openSilenceDialog } from './silence-store.ts'

/** The running silences, in order of their end. */
export function SilencesSection({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('alarms')
  const mayHandle = useMayHandleAlarms()
  const silences = useQuery(silencesQuery(nodes))
  const end = useAlarmMutation(({ id, version }: AlarmSilence) => call(endAlarmSilence, { id, version }), {
    onDone: () => showNotice('success', t('silences.ended')),
  })
  return (
    <>
      <div className={items.sectionHead}>
        <p className={styles.hint}>{t('silences.hint')}</p>
        {mayHandle && (
          <Button icon={<PlusOutlined />} onClick={() => openSilenceDialog()} data-testid="add-silence">
            {t('silences.add')}
          </Button>
        )}
      </div>
      <Answer query={silences}>
        {({ datalist, total }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('silences.none')} hint={t('silences.noneHint')} />
          ) : (
            <>
              <ShownPart shown={datalist.length} total={total} />
              <ul className={styles.cards} data-testid="silences">
                {datalist.map((silence) => (
                  <SilenceItem
                    key={silence.id}
                    silence={silence}
                    busy={end.isPending}
                    onEnd={() => end.mutate(silence)}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Answer>
    </>
  )
}

interface SilenceItemProps {
  readonly silence: AlarmSilence
  readonly busy: boolean
  readonly onEnd: () => void
}

function SilenceItem({ silence, busy, onEnd }: SilenceItemProps) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const toDuration = useDuration()
  const now = useNow(10)
  const { nestaddr, until, from, reason, account, abilities } = silence
  return (
    <li className={items.item}>
      <div className={items.itemMain}>
        <strong>{toWholeAddress(nestaddr)}</strong>
        <span>{reason}</span>
        <small className={styles.meta}>
          {account} · {t('silences.begun', { instant: format.instant(from) })}
        </small>
      </div>
      <div className={items.itemSide}>
        <Badge tone="accent" icon={<MutedOutlined />}>
          {t('list.silencedUntil', { instant: format.instant(until) })}
        </Badge>
        <small className={styles.meta}>
          {t('silences.left', { time: toDuration(Math.max(0, Math.ceil((until - now) / MINUTE_MS)) * 60) })}
        </small>
      </div>
      {abilities.includes('end') && (
        <Popconfirm
          title={t('silences.endSure')}
          okText={t('silences.end')}
          cancelText={t('handle.cancel')}
          onConfirm={onEnd}
        >
          <Button disabled={busy}>{t('silences.end')}</Button>
        </Popconfirm>
      )}
    </li>
  )
}
