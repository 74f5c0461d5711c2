import { Alert, Spin } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CameraFault, closeCamera, hasCameras, openCamera, toCameraFault } from './camera.ts'
import { emptyCanvas, findInVideo } from './decode-picture.ts'
import styles from './scan.module.css'

/** Pause between two looks at the picture, ms. */
const PAUSE_MS = 100

/** Text of the code in the picture; undefined too if the picture cannot be read now. Another attempt may succeed. */
function look(video: HTMLVideoElement, canvas: HTMLCanvasElement): string | undefined {
  try {
    return findInVideo(video, canvas)
  } catch (error) {
    console.info('the picture of the camera cannot be read', error)
    return undefined
  }
}

/** Shows a stream of the camera in a video element and calls `onText` with each code in it, until the returned function is called. */
function watch(video: HTMLVideoElement, stream: MediaStream, onText: (text: string) => void): () => void {
  video.srcObject = stream
  let isStopped = false
  video.play().catch((error: unknown) => {
    // The stop interrupts a picture that does not play yet.
    if (!isStopped) console.warn('the picture of the camera does not play', error)
  })
  const canvas = document.createElement('canvas')
  const timer = setInterval(() => {
    const text = look(video, canvas)
    if (text !== undefined) onText(text)
  }, PAUSE_MS)
  return () => {
    isStopped = true
    clearInterval(timer)
    emptyCanvas(canvas)
    video.srcObject = null
    closeCamera(stream)
  }
}

/** The picture of the camera, in which codes are searched; or why there is none, in plain words. */
export function CameraView({ onText }: { readonly onText: (text: string) => void }): ReactNode {
  const { t } = useTranslation('common')
  const [fault, setFault] = useState<CameraFault | undefined>(hasCameras() ? undefined : 'insecure')
  const [isSeen, setSeen] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onText)
  useEffect(() => {
    latest.current = onText
  }, [onText])
  useEffect(() => {
    if (!hasCameras()) return
    let isClosed = false
    let stop = () => {}
    openCamera().then(
      (stream) => {
        if (isClosed || !video.current) closeCamera(stream)
        else stop = watch(video.current, stream, (text) => latest.current(text))
      },
      (error: unknown) => {
        console.info('no camera', error)
        if (!isClosed) setFault(toCameraFault(error))
      },
    )
    return () => {
      isClosed = true
      stop()
    }
  }, [])
  if (fault !== undefined)
    return (
      <Alert
        type="info"
        showIcon
        title={t(`scan.fault.${fault}`)}
        description={t(`scan.advice.${fault}`)}
        data-testid="scan-no-camera"
      />
    )
  return (
    <>
      <div className={styles.camera} data-testid="scan-camera">
        <video
          ref={video}
          className={styles.video}
          muted
          playsInline
          aria-label={t('scan.picture')}
          onLoadedData={() => setSeen(true)}
        />
        {isSeen ? <div className={styles.frame} /> : <Spin className={styles.wait ?? ''} />}
      </div>
      <p className={styles.hint}>{t('scan.hint')}</p>
    </>
  )
}
