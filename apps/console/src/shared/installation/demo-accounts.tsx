import { ExperimentOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConsoleSettings } from './console-settings.ts'

/** Accounts of the demo; all have the same password. */
const accounts = ['admin', 'dispatcher', 'maintenance', 'service', 'irrigation', 'viewer'] as const
const PASSWORD = 'isotherm-demo'

/** List of the demo accounts on the login page; empty on other installations. */
export function DemoAccounts(props: {
  readonly onPick: (account: string, password: string) => void
}): ReactNode {
  const { t } = useTranslation('common')
  const { demo } = useConsoleSettings()
  if (!demo) return null
  return (
    <section className="demo-accounts" aria-label={t('demoAccounts.title')} data-testid="demo-accounts">
      <p>
        <ExperimentOutlined /> {t('demoAccounts.hint')} <b>{PASSWORD}</b>
      </p>
      <ul>
        {accounts.map((account) => (
          <li key={account}>
            <button type="button" onClick={() => props.onPick(account, PASSWORD)}>
              {t(`demoAccounts.${account}`)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
