import { DownOutlined, RightOutlined } from '@ant-design/icons'
import type { Command } from '@isotherm/contract/command'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { toChangeText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { CardFoot, CardHead } from '../lists/card-lines.tsx'
import { StepLine } from './step-line.tsx'

/** One command of the log as a card, for a narrow screen. It opens to show its steps. */
export function CommandCard({ command }: { readonly command: Command }) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { nestaddr, createdAt, actor, reason } = command
  const Icon = isOpen ? DownOutlined : RightOutlined
  return (
    <>
      <CardHead>
        <strong title={toWholeAddress(nestaddr)}>{toCompactAddress(nestaddr)}</strong>
        <CommandBadge {...command} />
      </CardHead>
      <CardHead>
        <span>{toChangeText(format, command)}</span>
        <Button
          size="small"
          type="text"
          icon={<Icon />}
          aria-expanded={isOpen}
          onClick={() => setOpen((was) => !was)}
        >
          {t('log.steps')}
        </Button>
      </CardHead>
      {isOpen && <StepLine command={command} />}
      <CardFoot parts={[format.instant(createdAt), actor, reason]} />
    </>
  )
}
