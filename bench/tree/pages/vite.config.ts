import { defineConfig } from 'vite'

/** All pages use the React of the console. */
export default defineConfig({
  resolve: { dedupe: ['react', 'react-dom'] },
  build: { target: 'es2023', chunkSizeWarningLimit: 4_000 },
})
