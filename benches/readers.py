#!/usr/bin/env python3
"""Readers of a served edition: 2,000 at a time, 200 of them slow, for some minutes, on this machine only.

usage: readers.py PORT SECONDS SITE     where `zhushu serve` answers at PORT with the pages of the folder SITE

A reader asks for a page of the site, reads for ten seconds on average, and asks for the next. A slow one sends its request
four bytes at a time and takes the answer in pieces of 4 KB. Prints how long the others waited for whole pages.
"""
import asyncio
import os
import random
import sys
import time
from urllib.parse import quote

READERS, SLOW, READING = 2000, 200, 10


async def ask(port, path, slow):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        request = f"GET /{quote(path)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode()
        step = 4 if slow else len(request)
        for at in range(0, len(request), step):
            writer.write(request[at : at + step])
            await writer.drain()
            if slow:
                await asyncio.sleep(0.5)
        answer = await reader.read(65536)
        while await reader.read(4096 if slow else 65536):
            if slow:
                await asyncio.sleep(0.2)
        return answer.startswith(b"HTTP/1.1 200")
    finally:
        writer.close()


async def read(port, pages, slow, end, times, wrong):
    await asyncio.sleep(random.random() * READING)
    while time.monotonic() < end:
        start = time.monotonic()
        try:
            right = await asyncio.wait_for(ask(port, random.choice(pages), slow), 60)
            reason = None if right else "status"
        except (OSError, asyncio.TimeoutError) as error:
            reason = type(error).__name__
        if not slow:
            times.append(time.monotonic() - start)
            if reason:
                wrong.append(reason)
        await asyncio.sleep(random.expovariate(1 / READING))


async def main(port, seconds, site):
    pages = [name for name in os.listdir(site) if name.endswith(".html") or name in ("index.page.js", "index.page.css")]
    end, times, wrong = time.monotonic() + seconds, [], []
    await asyncio.gather(*(read(port, pages, n < SLOW, end, times, wrong) for n in range(READERS)))
    times.sort()
    shares = ", ".join(f"p{share:g} {times[int(len(times) * share / 100)] * 1000:.0f}" for share in (50, 90, 99, 99.9))
    print(f"{len(times)} pages, {len(times) / seconds:.0f} a second; ms: {shares}, longest {times[-1] * 1000:.0f}; wrong: {len(wrong)} {sorted(set(wrong))}")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]))
