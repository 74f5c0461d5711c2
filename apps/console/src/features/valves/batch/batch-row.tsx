import { DownOutlined, RightOutlined } from '@ant-design/icons'
import type { Command } from '@isotherm/contract/command'
import type { DeviceState } from '@isotherm/contract/devices'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { toChangeText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { StepLine } from '../commands/step-line.tsx'
import text from '../lists/text.module.css'
import { findMetric } from '../rows/valve-row.ts'
import styles from './batch.module.css'

interface BatchRowProps {
  readonly command: Command
  readonly state: DeviceState | undefined
  /** Whether its steps are shown initially. */
  readonly isOpen: boolean
}

/** One command of a batch. It opens to show its steps and why it ended. */
export const BatchRow = memo(function BatchRow({ command, state, isOpen }: BatchRowProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const [open, setOpen] = useState(isOpen)
  const openingPct = findMetric(state, 'valve.opening')
  return (
    <div
      className={styles.row}
      data-testid={`command-${command.deviceId}`}
      data-state={command.state}
      data-open={open || undefined}
    >
      <button
        type="button"
        className={`bare ${styles.rowHead}`}
        aria-expanded={open}
        onClick={() => setOpen((was) => !was)}
      >
        {open ? <DownOutlined aria-hidden /> : <RightOutlined aria-hidden />}
        <span className={text.address} title={toWholeAddress(command.nestaddr)}>
          {toCompactAddress(command.nestaddr)}
        </span>
        <span className={styles.opening}>{toChangeText(format, command)}</span>
        <span className={`${text.hint} ${styles.hint}`}>
          {openingPct !== undefined &&
            t('command.nowAt', { opening: format.metric('valve.opening', openingPct) })}
        </span>
        <CommandBadge {...command} />
      </button>
      {open && <StepLine command={command} />}
    </div>
  )
})
