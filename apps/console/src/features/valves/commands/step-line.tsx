import { ClockCircleOutlined } from '@ant-design/icons'
import type { Command } from '@isotherm/contract/command'
import { replyCodes } from '@isotherm/contract/mqtt'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { commandLooks, toStateKey } from '../../../shared/ui/command-badge.tsx'
import { type Step, toSteps } from './command-progress.ts'
import styles from './step-line.module.css'

/** The steps of one command, each with icon, name and time. */
export function StepLine({ command }: { readonly command: Command }) {
  const reason = useFailureText(command)
  return (
    <>
      <ol className={styles.steps}>
        {toSteps(command).map((step) => (
          <StepItem key={step.state} step={step} kind={command.kind} />
        ))}
      </ol>
      {reason && (
        <p className={styles.failure} role="status">
          {reason}
        </p>
      )}
    </>
  )
}

function StepItem({ step, kind }: { readonly step: Step; readonly kind: Command['kind'] }) {
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const passed = step.status === 'reached' || step.status === 'ended'
  const testId = passed ? { 'data-testid': `command-state-${step.state}` } : {}
  return (
    <li className={styles.step} data-status={step.status} data-state={step.state} {...testId}>
      {passed ? commandLooks[step.state].icon : <ClockCircleOutlined />}
      <span className={styles.stepName}>{t(toStateKey({ state: step.state, kind }), { ns: 'common' })}</span>
      <span className={styles.stepTime}>
        {step.at !== undefined && passed
          ? format.time(step.at)
          : step.status === 'awaited'
            ? t('command.waiting')
            : '\u00a0'}
      </span>
    </li>
  )
}

const deviceCodes = ['400', '401', '404', '408', '409', '410', '423', '429', '500', '501', '503'] as const

/** Why a command did not succeed; undefined for other commands. */
function useFailureText(command: Command): string | undefined {
  const { t } = useTranslation('valves')
  const { state, resultCode } = command
  const known = deviceCodes.find((code) => Number(code) === resultCode)
  if (known) return `${t(`command.code.${known}`)} (${known})`
  if (resultCode !== replyCodes.ok) return t('command.code.other', { code: resultCode })
  if (state === 'expired' || state === 'superseded' || state === 'cancelled' || state === 'unknown') {
    return t(`command.explain.${state}`)
  }
  return undefined
}
