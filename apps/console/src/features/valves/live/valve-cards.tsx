import { LineChartOutlined } from '@ant-design/icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Button, Checkbox } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toTrust } from '../../../shared/devices/device-trust.ts'
import { TrustBadge } from '../../../shared/devices/trust-badge.tsx'
import { Age } from '../../../shared/format/age.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { AddressButton } from '../../../shared/inputs/address-button.tsx'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { metricOfColumn } from '../rows/row-query.ts'
import { canControl, findMetric, findPending, findTargetPct, type ValveRow } from '../rows/valve-row.ts'
import { OpeningBar } from './opening-bar.tsx'
import styles from './valve-cards.module.css'
import list from './valve-list.module.css'
import type { ValveTableProps } from './valve-table.tsx'

const CARD_PX = 120

type CardsProps = Omit<ValveTableProps, 'columns' | 'sort' | 'descending' | 'onSort'>

/** The live valves as cards, for a narrow screen. */
export function ValveCards(props: CardsProps) {
  const { rows } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: 4,
  })
  return (
    <div className={styles.cards} ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return row && <ValveCard key={item.key} {...props} row={props.toCurrentRow(row)} top={item.start} />
        })}
      </ul>
    </div>
  )
}

const cardColumns = ['supply', 'return', 'flow', 'pressure'] as const

function ValveCard({ row, top, ...props }: CardsProps & { readonly row: ValveRow; readonly top: number }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const { device, state, command, hold } = row
  const trust = toTrust(device, state, props.now)
  const pending = findPending(command)
  const openingPct = findMetric(state, 'valve.opening')
  const { onHistory } = props
  return (
    <li
      className={styles.card}
      data-testid={`valve-row-${device.id}`}
      data-trust={trust}
      style={{ transform: `translateY(${top}px)`, height: CARD_PX - 8 }}
    >
      <div className={styles.cardLine}>
        {canControl(device) && (
          <Checkbox
            checked={props.selected.has(device.id)}
            aria-label={t('table.selectRow', { name: device.name })}
            onChange={(event) => props.onSelect([device.id], event.target.checked)}
          />
        )}
        <strong className={styles.name}>
          <AddressButton
            nestaddr={device.nestaddr}
            data-testid={`details-${device.id}`}
            onClick={() => props.onDetails(device.id)}
          />
        </strong>
        {hold && <HoldBadge hold={hold} />}
        <Age ts={state?.ts} />
      </div>
      <div className={styles.cardFigures}>
        {cardColumns.map((column) => (
          <span key={column}>
            <small>{t(`column.${column}`)}</small>
            {format.metric(metricOfColumn[column], findMetric(state, metricOfColumn[column]))}
          </span>
        ))}
      </div>
      <div className={styles.cardLine}>
        <OpeningBar
          openingPct={openingPct}
          targetPct={findTargetPct(row)}
          text={format.metric('valve.opening', openingPct)}
          testId={`valve-opening-${device.id}`}
        />
        {pending ? <CommandBadge {...pending} /> : <TrustBadge trust={trust} state={state} />}
        <span className={list.actions}>
          {onHistory && (
            <Button
              type="text"
              icon={<LineChartOutlined />}
              aria-label={t('table.history')}
              onClick={() => onHistory(device.id)}
            />
          )}
          {canControl(device) && state && (
            <Button data-testid={`set-opening-${device.id}`} onClick={() => props.onSet(device.id)}>
              {t('set.action')}
            </Button>
          )}
        </span>
      </div>
    </li>
  )
}
