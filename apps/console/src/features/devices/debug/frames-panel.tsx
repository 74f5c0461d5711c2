import { ArrowLeftOutlined, ArrowRightOutlined } from '@ant-design/icons'
import { getRawFrames } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './debug.module.css'
import { type RangeKey, ranges } from './debug-url.ts'
import { FrameMeaning } from './frame-meaning.tsx'

const PAGE_ROWS = 50
const POLL_MS = 5_000

/** Bytes in pairs of digits, so that a person can compare them with a manual. */
const toBytes = (hex: string): string => hex.toUpperCase().replace(/(..)(?=.)/g, '$1 ')

interface FramesPanelProps {
  readonly deviceId: number
  readonly range: RangeKey
}

/** Unchanged frames of the field bus in both directions, with their meaning where the format is known, newest first. */
export default function FramesPanel({ deviceId, range }: FramesPanelProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['devices', 'frames', deviceId, range, page],
    queryFn: ({ signal }) => {
      const limiter = { page, size: PAGE_ROWS }
      return call(getRawFrames, { deviceId, from: readServerNow() - ranges[range], limiter }, { signal })
    },
    placeholderData: keepPreviousData,
    // New frames shift the rows of later pages, which would move under a reader.
    refetchInterval: page === 1 && POLL_MS,
  })
  return (
    <Answer query={query}>
      {({ datalist, total }) =>
        total === 0 ? (
          <EmptyState title={t('debug.noFrames')} hint={t('debug.noFramesHint')} />
        ) : (
          <>
            <ol className={styles.frames} data-testid="frames">
              {datalist.map((frame, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: equal frames of one instant differ only in their place
                <li key={`${frame.receivedAt}-${index}`} data-dir={frame.dir}>
                  <span className={styles.line}>
                    {frame.dir === 'tx' ? <ArrowRightOutlined /> : <ArrowLeftOutlined />}
                    <strong>{t(`debug.dir.${frame.dir}`)}</strong>
                    <time dateTime={new Date(frame.ts).toISOString()}>{format.instant(frame.ts)}</time>
                    <span className={styles.meta}>
                      {[frame.node, frame.named].filter(Boolean).join(' / ')}
                    </span>
                  </span>
                  <code className={styles.bytes}>{toBytes(frame.hex)}</code>
                  <FrameMeaning hex={frame.hex} dir={frame.dir} />
                </li>
              ))}
            </ol>
            {total > PAGE_ROWS && (
              <Pagination
                size="small"
                current={page}
                pageSize={PAGE_ROWS}
                total={total}
                showSizeChanger={false}
                onChange={setPage}
              />
            )}
          </>
        )
      }
    </Answer>
  )
}
