import express from 'express';
import { postMcp, streamMcp } from './routes.js';

const app = express();

app.post('/mcp', express.json(), postMcp);
app.get('/mcp', streamMcp);
app.delete('/mcp', streamMcp);

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
