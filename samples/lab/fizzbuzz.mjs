// FizzBuzz as a service: GET /fizzbuzz answers the hundred strings as JSON. The port is the first argument.
import http from "node:http";

const say = (i) => (i % 15 === 0 ? "fizzbuzz" : i % 5 === 0 ? "buzz" : i % 3 === 0 ? "fizz" : String(i));

const server = http.createServer((request, response) => {
  const body = JSON.stringify(Array.from({ length: 100 }, (_, i) => say(i + 1)));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});

const port = Number(process.argv[2]);
server.listen(port, "127.0.0.1", () => console.log(`serving on ${port}`));
