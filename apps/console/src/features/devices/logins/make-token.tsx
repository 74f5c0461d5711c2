import { makeConnectionToken, TOKEN_HOURS } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Popconfirm, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { toConnectionFacts } from './connection-facts.tsx'
import { Copyable } from './copyable.tsx'
import styles from './token.module.css'

/** Validities to choose from, h. */
const HOURS = [24, TOKEN_HOURS.usual, 168, TOKEN_HOURS.max] as const

interface MakeTokenProps {
  /** A registered device, or a serial and its project; undefined while it is not complete. */
  readonly target: { readonly id: number } | { readonly serial: string; readonly node: string } | undefined
  /** The device gets a new password with it, after a question. */
  readonly renews?: boolean
  readonly onMade?: () => void
}

/** Makes a one-time token and shows it once. */
export function MakeToken({ target, renews = false, onMade }: MakeTokenProps) {
  const { t } = useTranslation(['devices', 'common'])
  const format = useFormat()
  const [hours, setHours] = useState<number>(TOKEN_HOURS.usual)
  const making = useMutation({
    mutationFn: () => call(makeConnectionToken, { ...target, hours, renew: renews }),
    gcTime: 0,
    onSuccess: () => onMade?.(),
  })
  const { data } = making
  if (data) {
    const facts = [
      ...toConnectionFacts({ ...data, clientId: data.username }, t),
      [t('login.password'), <Copyable key="token" text={data.token} />],
    ] as const
    return (
      <div data-testid="token-shown">
        <Alert
          type="warning"
          showIcon
          title={t('login.token.once', { until: format.instant(data.expiresAt) })}
        />
        <FactList facts={facts} className={styles.facts} />
      </div>
    )
  }
  return (
    <>
      <div className={styles.line}>
        <label htmlFor="token-hours">{t('login.token.hours')}</label>
        <Select
          id="token-hours"
          value={hours}
          options={HOURS.map((count) => ({ value: count, label: t('login.token.hoursUnit', { count }) }))}
          onChange={setHours}
        />
        {renews ? (
          <Popconfirm
            title={t('login.rotateQuestion')}
            description={t('login.token.renewMeans')}
            okText={t('login.token.renew')}
            cancelText={t('form.cancel', { ns: 'common' })}
            onConfirm={() => making.mutate()}
          >
            <Button loading={making.isPending} data-testid="token-renew">
              {t('login.token.renew')}
            </Button>
          </Popconfirm>
        ) : (
          <Button
            disabled={target === undefined}
            loading={making.isPending}
            data-testid="token-make"
            onClick={() => making.mutate()}
          >
            {t('login.token.make')}
          </Button>
        )}
      </div>
      {making.error && <Alert type="error" showIcon title={toFailureText(making.error)} />}
    </>
  )
}
