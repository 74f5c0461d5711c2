import { defineConfig } from 'vite'

/** One React for all pages: that of the console. */
export default defineConfig({
  resolve: { dedupe: ['react', 'react-dom'] },
  build: { target: 'es2023', chunkSizeWarningLimit: 4_000 },
})
