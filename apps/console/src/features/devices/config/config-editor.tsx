import { deviceProfile } from '@isotherm/contract/device-profile'
import { setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { HIDDEN_SECRET } from '@isotherm/contract/gateways/secrets'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import form from '../../../shared/form/form.module.css'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { KnownProfile } from '../profiles/profiles-query.ts'
import { childrenQuery, type GatewayName } from './children-query.ts'
import { completeDraft } from './complete-draft.ts'
import styles from './config.module.css'
import { type Draft, type DraftPath, findMovedLine, getAt, isDraft, listAt, merge, setAt } from './draft.ts'
import type { Editor } from './editor.ts'
import { countFaults, findDraftFaults, toKey } from './find-draft-faults.ts'
import { LineForm } from './line-form.tsx'
import { LineList } from './line-list.tsx'
import { Listeners } from './listeners.tsx'
import { addLine } from './new-line.ts'

/** A configuration and the version on which a change of it is based. */
export interface ConfigBase {
  readonly version: number
  readonly config: GatewayConfig | null
}

const toDraft = ({ config }: ConfigBase): Draft => (isDraft(config) ? config : { v: 1, lines: [] })

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
  const { gateway, profiles: known, unit, guard, onReload, onSaved } = props
  const { t } = useTranslation(['devices', 'common'])
  const [base, setBase] = useState(props.base)
  const [draft, setDraft] = useState<Draft>(() =>
    unit === undefined ? toDraft(base) : addLine(toDraft(base), 'dtu-tcp', { registration: unit }),
  )
  const [openAt, setOpenAt] = useState<number | undefined>(() =>
    unit === undefined ? undefined : listAt(draft, ['lines']).length - 1,
  )
  const [isTried, setTried] = useState(false)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const offered = useQuery(childrenQuery(gateway)).data ?? []
  const registry = useMemo(() => known.map(({ profile }) => profile), [known])
  // A large document is checked after the typed character is shown.
  const checked = useDeferredValue(draft)
  const faults = useMemo(
    () => findDraftFaults(checked, { stored: base.config, profiles: registry }),
    [checked, base, registry],
  )
  const own = useMemo(
    () => listAt(draft, ['profiles']).flatMap((each) => deviceProfile.safeParse(each).data ?? []),
    [draft],
  )
  const isDirty = JSON.stringify(draft) !== JSON.stringify(toDraft(base))
  const saving = useMutation({
    mutationFn: (config: GatewayConfig) =>
      call(setGatewayConfig, { id: gateway.id, version: base.version, config }),
    onSuccess() {
      showNotice('success', t('config.saved', { name: gateway.name }))
      onSaved()
    },
  })
  const reloading = useMutation({
    mutationFn: onReload,
    onSuccess(newest) {
      const merged = merge(toDraft(base), draft, toDraft(newest))
      if (isDraft(merged)) {
        setDraft(merged)
        // The lines have other positions now.
        setOpenAt((at) => (at === undefined ? undefined : findMovedLine(draft, at, merged)))
        setTouched(new Set())
      }
      setBase(newest)
      saving.reset()
    },
  })
  useEffect(() => guard.onDirty(isDirty && !saving.isSuccess), [guard.onDirty, isDirty, saving.isSuccess])
  const editor: Editor = {
    draft,
    profiles: [...registry.filter(({ id }) => own.every((each) => each.id !== id)), ...own],
    isSecretStored([part, at, ...rest]) {
      const id = getAt(draft, [part ?? '', at ?? '', 'id'])
      const line = base.config?.lines.find((stored) => stored.id === id)
      return part === 'lines' && getAt(line, rest) === HIDDEN_SECRET
    },
    change(path: DraftPath, value: unknown) {
      setDraft((before) => setAt(before, path, value))
      setTouched((before) => new Set(before).add(toKey(path)))
    },
    faultAt(path) {
      const key = toKey(path)
      return isTried || touched.has(key) ? faults.get(key) : undefined
    },
    countAt: (path) => (isTried ? countFaults(faults, path) : 0),
  }
  const isStale = saving.error instanceof ApiError && saving.error.code === 'entity.stale'
  const save = () => {
    setTried(true)
    const { data } = gatewayConfig.safeParse(completeDraft(draft))
    const left = findDraftFaults(draft, { stored: base.config, profiles: registry })
    if (data !== undefined && left.size === 0) saving.mutate(data)
    // The list of lines shows which ones have faults.
    else if (openAt !== undefined && countFaults(left, ['lines', openAt]) === 0) setOpenAt(undefined)
  }
  return (
    <form
      className={styles.view}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {openAt === undefined ? (
        <>
          <LineList
            editor={editor}
            onOpen={setOpenAt}
            onAdd={(driver) => {
              setOpenAt(listAt(draft, ['lines']).length)
              setDraft(addLine(draft, driver))
            }}
          />
          <Listeners editor={editor} />
        </>
      ) : (
        <LineForm at={openAt} editor={editor} offered={offered} onBack={() => setOpenAt(undefined)} />
      )}
      {isTried && faults.size > 0 && (
        <Alert type="warning" showIcon title={t('config.someFaults', { count: faults.size })} />
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
