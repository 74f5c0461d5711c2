import { setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import form from '../../../shared/form/form.module.css'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { KnownProfile } from '../profiles/profiles-query.ts'
import { childrenQuery, type GatewayName } from './children-query.ts'
import styles from './config.module.css'
import { LineForm } from './line-form.tsx'
import { LineList } from './line-list.tsx'
import { Listeners } from './listeners.tsx'
import { type ConfigBase, useConfigDraft } from './use-config-draft.ts'

interface ConfigEditorProps {
  readonly gateway: GatewayName
  readonly base: ConfigBase
  readonly profiles: readonly KnownProfile[]
  /** Registration packet of a unit for which a new line is opened. */
  readonly unit: string | undefined
  readonly guard: FormGuard
  /** Loads the newest configuration. */
  readonly onReload: () => Promise<ConfigBase>
  readonly onSaved: () => void
}

/** Edits the lines of a gateway. Everything is checked here as the server checks it, and saved as one document. */
export function ConfigEditor(props: ConfigEditorProps) {
  const { gateway, profiles, unit, guard, onReload, onSaved } = props
  const { t } = useTranslation(['devices', 'common'])
  const lines = useConfigDraft(props.base, profiles, unit)
  const { version, editor, openAt, setOpenAt, isDirty, faultCount } = lines
  const offered = useQuery(childrenQuery(gateway)).data ?? []
  const saving = useMutation({
    mutationFn: (config: GatewayConfig) => call(setGatewayConfig, { id: gateway.id, version, config }),
    onSuccess() {
      showNotice('success', t('config.saved', { name: gateway.name }))
      onSaved()
    },
  })
  const reloading = useMutation({
    mutationFn: onReload,
    onSuccess(newest) {
      lines.rebase(newest)
      saving.reset()
    },
  })
  useEffect(() => guard.onDirty(isDirty && !saving.isSuccess), [guard.onDirty, isDirty, saving.isSuccess])
  const isStale = saving.error instanceof ApiError && saving.error.code === 'entity.stale'
  return (
    <form
      className={styles.view}
      onSubmit={(event) => {
        event.preventDefault()
        const config = lines.complete()
        if (config !== undefined) saving.mutate(config)
      }}
    >
      {openAt === undefined ? (
        <>
          <LineList editor={editor} onOpen={setOpenAt} onAdd={lines.add} />
          <Listeners editor={editor} />
        </>
      ) : (
        <LineForm at={openAt} editor={editor} offered={offered} onBack={() => setOpenAt(undefined)} />
      )}
      {faultCount > 0 && (
        <Alert type="warning" showIcon title={t('config.someFaults', { count: faultCount })} />
      )}
      {saving.error && <Alert type="error" showIcon title={toFailureText(saving.error)} />}
      {isStale && (
        <p className={styles.meta}>
          {t('form.stale', { ns: 'common' })}{' '}
          <Button
            size="small"
            loading={reloading.isPending}
            data-testid="form-reload"
            onClick={() => reloading.mutate()}
          >
            {t('form.reload', { ns: 'common' })}
          </Button>
        </p>
      )}
      <div className={form.formEnd}>
        <Button onClick={guard.onCancel}>{t('form.cancel', { ns: 'common' })}</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={saving.isPending}
          disabled={!isDirty}
          data-testid="config-save"
        >
          {t('form.save', { ns: 'common' })}
        </Button>
      </div>
    </form>
  )
}
