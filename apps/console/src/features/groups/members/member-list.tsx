import { CloseOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import styles from './members.module.css'

interface MemberListProps {
  readonly devices: readonly Device[]
  /** Absent if the user may only look. */
  readonly onRemove?: (id: number) => void
}

const ROW_PX = 48

/** The devices of a group with their places. Only visible rows are rendered. */
export function MemberList({ devices, onRemove }: MemberListProps) {
  const { t } = useTranslation('groups')
  const { t: common } = useTranslation('common')
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    getItemKey: (index) => devices[index]?.id ?? index,
  })
  if (devices.length === 0) return null
  return (
    <div className={styles.list} ref={scroller}>
      <ul aria-label={t('members.label')} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const device = devices[index]
          return device ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              data-testid={`member-${device.id}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles.line} title={toWholeAddress(device.nestaddr)}>
                {toCompactAddress(device.nestaddr)}
              </span>
              {onRemove && (
                <Button
                  type="text"
                  size="small"
                  icon={<CloseOutlined />}
                  aria-label={t('members.remove', { name: device.name })}
                  data-testid={`member-remove-${device.id}`}
                  onClick={() => onRemove(device.id)}
                />
              )}
              <span className={`${styles.line} ${styles.meta}`}>
                {common(`deviceKind.${device.kind}`)} · {device.name} · {device.imei}
                {device.use === 'retired' && ` · ${t('members.retired')}`}
              </span>
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}
